// libyplaunch.so: is loaded (LD_PRELOAD) into the processes that a command of `yp run` starts, when
// JVMs get the agent through JAVA_TOOL_OPTIONS. It takes the agent out of that variable again, in
// the java launcher alone, where it would do harm:
// - The launcher is to print its version or help. Scripts read that, and the JVM would write
//   "Picked up JAVA_TOOL_OPTIONS" in front of it.
// - The JVM makes an archive of classes and would not start with an agent. One line says so.
// Anywhere else it does nothing. It needs no library, not even libc: LD_PRELOAD reaches programs of
// every kind.

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

#include "cli/attach/launcher_options.h"
#include "cli/launch/system_call.h"

// Of the C library, whichever it is.
extern "C" __attribute__((weak)) char** environ;

namespace {

constexpr size_t kMaxCommandBytes = 1 << 16;

size_t Length(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

// Where the text begins with the prefix, what follows it; else null.
const char* After(const char* text, const char* prefix) {
  while (*prefix != 0) {
    if (*text++ != *prefix++) return nullptr;
  }
  return text;
}

bool Is(const char* text, const char* word) {
  const char* const rest = After(text, word);
  return rest != nullptr && *rest == 0;
}

template <size_t n>
bool IsOneOf(const char* text, const char* const (&words)[n]) {
  for (const char* const word : words) {
    if (Is(text, word)) return true;
  }
  return false;
}

// The variable's value; null when there is none. `place`: where environ has it.
char* Variable(const char* name_and_sign, char*** place) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (const char* value = After(*entry, name_and_sign)) {
      *place = entry;
      return *entry + (value - *entry);
    }
  }
  return nullptr;
}

bool IsJava() {
  char path[4096];
  const long size =
      yp::SystemCall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"),
                     reinterpret_cast<long>(path), sizeof(path) - 1);
  if (size <= 5) return false;
  path[size] = 0;
  return After(path + size - 5, "/java") != nullptr;
}

constexpr const char* kTells[] = {"-version",
                                  "--version",
                                  "-fullversion",
                                  "--full-version",
                                  "-help",
                                  "--help",
                                  "-h",
                                  "-?",
                                  "-X",
                                  "--help-extra",
                                  "--list-modules",
                                  "--describe-module",
                                  "-d"};
bool Refuses(const char* option) {
  const char* const flag = After(option, "-XX:+");
  return (flag != nullptr && IsOneOf(flag, yp::kFlagsThatRefuseAgents)) ||
         Is(option, yp::kOptionThatRefusesAgents) || After(option, yp::kArchiveAtExit) != nullptr;
}

// As much of the file as there is room for; how many bytes.
long Read(const char* path, char* to, long room) {
  const long file =
      yp::SystemCall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  long size = 0;
  for (long got = 1; got > 0 && size < room; size += got) {
    got = yp::SystemCall(SYS_read, file, reinterpret_cast<long>(to + size), room - size);
    if (got < 0) break;
  }
  yp::SystemCall(SYS_close, file, 0, 0);
  return size;
}

// The first of the options in an argument file that refuses agents, of those that stand in it
// without quotes; null when there is none.
const char* RefusingOptionIn(const char* path) {
  static char text[kMaxCommandBytes];
  const long size = Read(path, text, static_cast<long>(sizeof(text)) - 1);
  text[size] = 0;
  for (char* at = text; at < text + size;) {
    char* const word = at;
    while (static_cast<unsigned char>(*at) > ' ') ++at;
    *at++ = 0;
    if (Refuses(word)) return word;
  }
  return nullptr;
}

// The command's first option that has no use for an agent; null when there is none. `tells`: the
// launcher prints something and ends.
const char* OptionWithoutAgent(const char* command, const char* end, bool* tells) {
  bool is_value = false;
  for (const char* word = command + Length(command) + 1; word < end; word += Length(word) + 1) {
    if (is_value) {
      is_value = false;
    } else if (*word != '-') {
      if (*word != '@') return nullptr;
      if (const char* const option = RefusingOptionIn(word + 1)) return option;
    } else if (IsOneOf(word, yp::kLauncherStarts)) {
      return nullptr;
    } else if (IsOneOf(word, kTells)) {
      *tells = true;
      return word;
    } else if (Refuses(word)) {
      return word;
    } else {
      is_value = IsOneOf(word, yp::kLauncherOptionsWithValue);
    }
  }
  return nullptr;
}

bool AreOurs(const char* options) {
  if (*options == ' ') ++options;
  return After(options, "-agentpath:") != nullptr ||
         After(options, "-XX:+UnlockDiagnosticVMOptions") != nullptr;
}

void Say(const char* text) {
  yp::SystemCall(SYS_write, STDERR_FILENO, reinterpret_cast<long>(text),
                 static_cast<long>(Length(text)));
}

__attribute__((constructor)) void OnLoad() {
  if (&environ == nullptr || environ == nullptr || !IsJava()) return;
  char **own_place = nullptr, **place = nullptr;
  // How many bytes of JAVA_TOOL_OPTIONS are the user's own; "-" when there was none.
  const char* const own = Variable("YIELDPOINT_OWN_BYTES=", &own_place);
  char* const options = Variable("JAVA_TOOL_OPTIONS=", &place);
  if (own == nullptr || options == nullptr) return;

  static char command[kMaxCommandBytes];
  const long size = Read("/proc/self/cmdline", command, static_cast<long>(sizeof(command)) - 1);
  bool tells = false;
  const char* const option = OptionWithoutAgent(command, command + size, &tells);
  if (option == nullptr) return;

  size_t bytes = 0;
  for (const char* digit = own; *digit >= '0' && *digit <= '9'; ++digit) {
    bytes = 10 * bytes + static_cast<size_t>(*digit - '0');
  }
  // Somebody may have put more in front since.
  if (bytes > Length(options) || !AreOurs(options + bytes)) return;
  if (*own == '-') {
    for (; *place != nullptr; ++place) place[0] = place[1];
  } else {
    options[bytes] = 0;
  }
  if (tells) return;
  Say("yp: with ");
  Say(option);
  Say(" a JVM takes no agents, as it makes an archive of classes: ");
  Say("it runs without, and nothing of it is recorded\n");
}

}  // namespace
