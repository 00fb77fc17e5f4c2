# What every build needs; optional libraries are looked for in the room that uses them.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
