# One interface target carries every flag of our own code; one function makes a library of a room.

add_library(paceline_flags INTERFACE)
target_include_directories(paceline_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(paceline_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual
  # GCC 12 reports overlapping copies inside std::string's operator+ that cannot happen (GCC bug 105651).
  -Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${PACELINE_WARNINGS_AS_ERRORS}>>:-Werror>)
if(PACELINE_SANITIZE)
  target_compile_options(paceline_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PACELINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    # GCC 12 reports false maybe-uninitialized warnings in instrumented code.
    -Wno-maybe-uninitialized>)
  target_link_options(paceline_flags INTERFACE -fsanitize=${PACELINE_SANITIZE})
endif()
if(PACELINE_COVERAGE)
  target_compile_options(paceline_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--coverage>)
  target_link_options(paceline_flags INTERFACE --coverage)
endif()

# Compiles each header alone: a header must include what it uses. A header that its own source includes before
# anything else is compiled alone there.
function(paceline_check_headers target)
  if(NOT PACELINE_CHECK_HEADERS OR NOT ARGN)
    return()
  endif()
  set(sources)
  foreach(header IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(REPLACE_EXTENSION header LAST_ONLY ".cpp" OUTPUT_VARIABLE own_source)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(EXISTS "${own_source}")
      file(STRINGS "${own_source}" first_include REGEX "^#include" LIMIT_COUNT 1)
      if(first_include STREQUAL "#include \"${header}\"")
        continue()
      endif()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/header_check/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
    list(APPEND sources "${source}")
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(${target}_headers OBJECT ${sources})
  target_link_libraries(${target}_headers PRIVATE ${target})
endfunction()

# paceline_library(NAME SOURCES a.cpp ... HEADERS a.h ... LINKS paceline::base ... PRIVATE_LINKS fmt::fmt ...)
# makes paceline_NAME, known as paceline::NAME.
function(paceline_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(paceline_${name} STATIC ${arg_SOURCES} ${arg_HEADERS})
  add_library(paceline::${name} ALIAS paceline_${name})
  target_link_libraries(paceline_${name} PUBLIC paceline_flags ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  paceline_check_headers(paceline_${name} ${arg_HEADERS})
endfunction()
