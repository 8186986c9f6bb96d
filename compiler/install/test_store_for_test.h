#ifndef YP_COMPILER_INSTALL_TEST_STORE_FOR_TEST_H_
#define YP_COMPILER_INSTALL_TEST_STORE_FOR_TEST_H_

#include <fstream>
#include <sstream>
#include <string>

#include "compiler/install/vm_store.h"

namespace yp::compiler {

// A file of testdata/: NAME VALUE on each line, # begins a comment. Empty when it cannot be read.
inline VmStore ReadTestStore(const std::string& path) {
  VmStore store;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    int64_t value = 0;
    if (!line.starts_with('#') && words >> name >> value) store.Set(name, value);
  }
  return store;
}

}  // namespace yp::compiler

#endif  // YP_COMPILER_INSTALL_TEST_STORE_FOR_TEST_H_
