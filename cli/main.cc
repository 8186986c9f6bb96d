#include "cli/command.h"
#include "ui/embed/page_template.h"

int main(int argc, char** argv) { return yp::Main(argc, argv, yp::BuiltInPage()); }
