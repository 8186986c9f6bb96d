#include "ui/page_template.h"

// The assembler takes the file as it is, in no time, where an array of its bytes would take the
// compiler minutes.
asm(".section .rodata\n"
    "yp_page_template_begin: .incbin \"" YP_PAGE_FILE
    "\"\n"
    "yp_page_template_end: .byte 0\n"
    ".globl yp_page_template_begin\n"
    ".globl yp_page_template_end\n"
    ".previous\n");

extern "C" {
extern const char yp_page_template_begin[];
extern const char yp_page_template_end[];
}

namespace yp {

std::string_view PageTemplate() {
  return {yp_page_template_begin,
          static_cast<size_t>(yp_page_template_end - yp_page_template_begin)};
}

}  // namespace yp
