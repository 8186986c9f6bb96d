// The bytes of the file YP_PAGE_FILE, and a zero behind them.
    .section .rodata
    .global yp_page_begin
    .global yp_page_end
yp_page_begin:
    .incbin YP_PAGE_FILE
yp_page_end:
    .byte 0

    .section .note.GNU-stack, "", %progbits
