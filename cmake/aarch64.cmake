# Cross-compiles for aarch64 with Debian's compiler: cmake --toolchain cmake/aarch64.cmake, with the
# environment variable YP_AARCH64_ROOT: where tools/aarch64_root has put Debian's libraries.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(root $ENV{YP_AARCH64_ROOT})
# Headers are the build machine's own, which are the same for all processors but for these.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-isystem ${root}/usr/include/aarch64-linux-gnu")
endforeach()
set(CMAKE_FIND_ROOT_PATH ${root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
# Java's headers are the same as well; the libraries are for the agent's tests alone.
file(GLOB jvm ${root}/usr/lib/jvm/*/lib/server/libjvm.so)
set(JAVA_JVM_LIBRARY ${jvm} CACHE FILEPATH "")
