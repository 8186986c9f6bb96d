# cmake -DINPUT=file -DOUTPUT=header -DNAME=identifier -P embed_bytes.cmake: a file as a C++ array.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "#pragma once\n\n#include <cstdint>\n\ninline constexpr uint8_t ${NAME}[] = {${bytes}};\n")
