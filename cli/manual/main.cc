// yp_manual FOLDER: writes manual pages and the shells' completions to FOLDER, laid out as under
// PREFIX/share.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/command.h"
#include "cli/manual/completion.h"
#include "cli/manual/man_page.h"

namespace {

namespace fs = std::filesystem;

bool Write(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) fprintf(stderr, "yp_manual: cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fprintf(stderr, "usage: yp_manual FOLDER\n");
    return 2;
  }
  const fs::path folder = argv[1];
  const std::vector<yp::CommandDescription> commands = yp::DescribeCommands();
  bool written = true;
  for (size_t i = 0; i < commands.size(); ++i) {
    const std::string name = i == 0 ? "yp.1" : "yp-" + commands[i].name + ".1";
    written &= Write(folder / "man" / "man1" / name, yp::ManPage(commands, i));
  }
  written &= Write(folder / "bash-completion" / "completions" / "yp", yp::BashCompletion(commands));
  written &= Write(folder / "zsh" / "vendor-completions" / "_yp", yp::ZshCompletion(commands));
  return written ? 0 : 1;
}
