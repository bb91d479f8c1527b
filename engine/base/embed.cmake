# Writes files as C arrays:  cmake -DOUT= -DROOT= -DSYMBOL= -DHEADER= -DFILES=a;b -P embed.cmake
# The result defines `const struct embedded_file SYMBOL[]` and `SYMBOL_count`; the paths
# are relative to ROOT, the bytes end in a NUL that is not counted.
set(text "#include \"${HEADER}\"\n")
set(rows "")
set(index 0)
list(SORT FILES)
foreach(file ${FILES})
  file(READ "${ROOT}/${file}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," values "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         values "${values}")
  string(APPEND text "static const unsigned char file_${index}[] = {${values}0};\n")
  string(APPEND rows "    {\"${file}\", (const char *)file_${index}, ${bytes}},\n")
  math(EXPR index "${index} + 1")
endforeach()
if(index EQUAL 0)
  set(rows "    {\"\", \"\", 0},\n")
endif()
string(APPEND text "const struct embedded_file ${SYMBOL}[] = {\n${rows}};\n")
string(APPEND text "const size_t ${SYMBOL}_count = ${index};\n")
file(WRITE "${OUT}" "${text}")
