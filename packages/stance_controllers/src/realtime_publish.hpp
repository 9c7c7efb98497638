// RealtimePublisher from Humble to Rolling: what it can do decides, no version does.
#pragma once

namespace stance_controllers {

// Not in the loop: the publisher's own copy gets the size of the message, so that later copies allocate nothing.
template <class Publisher, class Message>
void reserve(Publisher& publisher, const Message& message) {
  if constexpr (requires { publisher.msg_ = message; }) {
    publisher.lock();
    publisher.msg_ = message;
    publisher.unlock();
  } else {  // its copy is private: the first message makes room
    (void)publisher.try_publish(message);
  }
}

// Leaves it where the thread behind is still busy with the last.
template <class Publisher, class Message>
void try_publish(Publisher& publisher, const Message& message) {
  if constexpr (requires { publisher.try_publish(message); }) {
    (void)publisher.try_publish(message);
  } else if (publisher.trylock()) {
    publisher.msg_ = message;
    publisher.unlockAndPublish();
  }
}

}  // namespace stance_controllers
