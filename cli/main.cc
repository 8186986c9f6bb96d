#include <fcntl.h>
#include <unistd.h>

#include "cli/command.h"
#include "ui/embed/page_template.h"

namespace {

// Standard streams that are closed get a file that can be neither read nor written, before another
// one takes their numbers. Programs that are started find them closed, as they were.
void HoldStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free.
    if (open("/dev/null", O_PATH | O_CLOEXEC) != stream) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  HoldStandardStreams();
  return yp::Main(argc, argv, yp::BuiltInPage());
}
