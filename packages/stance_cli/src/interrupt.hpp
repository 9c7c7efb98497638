// Ctrl-C and a polite kill, as a flag that a long run looks at.
#pragma once

namespace stance {

// From now on SIGINT and SIGTERM raise the flag. A second one ends the program at once, as usual.
void catch_interrupts();

// The signal that came, or 0.
int interrupted();

}  // namespace stance
