// generate_classes FIRST_SEED COUNT FOLDER: writes that many generated classes into the folder.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "compiler/differential/generator.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: generate_classes FIRST_SEED COUNT FOLDER\n";
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const uint64_t count = std::strtoull(argv[2], nullptr, 10);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::filesystem::path path =
        std::filesystem::path(argv[3]) / (yp::compiler::GeneratedName(seed) + ".class");
    std::filesystem::create_directories(path.parent_path());
    const std::vector<uint8_t> bytes = yp::compiler::GenerateClass(seed);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file) {
      std::cerr << "cannot write " << path.native() << "\n";
      return 1;
    }
  }
  return 0;
}
