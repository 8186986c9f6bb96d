#include "cli/command.h"

int main(int argc, char** argv) { return yp::Main(argc, argv); }
