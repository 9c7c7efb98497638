// The assembler takes the file as it is: half a megabyte as a string literal would take a compiler minutes.
#include "page_template.hpp"

__asm__(
    ".section .rodata\n"
    ".local stance_page_begin\n"
    ".local stance_page_end\n"
    "stance_page_begin:\n"
    ".incbin \"" STANCE_PAGE_FILE
    "\"\n"
    "stance_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char stance_page_begin[];
extern const char stance_page_end[];
}

namespace stance::report {

std::string_view page_template() {
  return {stance_page_begin, static_cast<std::size_t>(stance_page_end - stance_page_begin)};
}

}  // namespace stance::report
