// SPDX-License-Identifier: BSD-3-Clause
// A libnvrtc.so.13 that compiles with the host's compiler. Its "machine code" is the path of a shared library in a folder
// next to this one, named by the hash of the source. Processes share the folder: each writes to private names and renames
// complete files. The build of this file must define EMU_COMPILE, the command that compiles a kernel, and use a new
// folder when that command or shim.hpp changes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
struct program {
    std::string text, path, log;
};
static std::string home() {
    Dl_info i;
    dladdr((void *)home, &i);
    std::string p = i.dli_fname;
    return p.substr(0, p.rfind('/'));
}
extern "C" {
int nvrtcVersion(int *a, int *b) {
    *a = 13;
    *b = 0;
    return 0;
}
int nvrtcCreateProgram(program **p, const char *text, const char *, int, const char *const *, const char *const *) {
    *p = new program;
    (*p)->text = text;
    return 0;
}
int nvrtcCompileProgram(program *p, int, const char *const *) {
    std::string t = p->text, tail;
    std::regex dyn("extern\\s+__shared__\\s+([^;]*?)(\\w+)\\s*\\[\\s*\\]\\s*;");
    t = std::regex_replace(t, std::regex("__shared__\\s+(alignas\\(\\w+\\))"), "$1 __shared__");
    t = std::regex_replace(t, std::regex("extern\\s+(alignas\\(\\w+\\))\\s+__shared__"), "extern __shared__ $1");
    for (auto r :
         {std::make_pair("asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h));",
                         "x = __builtin_ia32_vcvtph2ps((short __attribute__((vector_size(16)))){(short)h})[0];"),
          std::make_pair(
              "asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(half) : \"f\"(x));",
              "half = (unsigned short)__builtin_ia32_vcvtps2ph((float __attribute__((vector_size(16)))){x}, 0)[0];")})
        for (size_t at; (at = t.find(r.first)) != std::string::npos;) t.replace(at, strlen(r.first), r.second);
    std::smatch m;
    while (std::regex_search(t, m, dyn)) {
        std::string pre = m.prefix().str() + "extern " +
                          std::regex_replace(m[1].str(), std::regex("alignas\\(\\w+\\)"), "") + m[2].str() + "[];",
                    post = m.suffix().str();
        tail += m[1].str() + m[2].str() + "[300000 / sizeof(" + m[2].str() + "[0])];\n";
        t = pre + post;
    }
    // One call for each kernel; the preprocessor keeps one of them.
    std::regex kernel("extern \"C\" __global__[^;{]*?(\\w+)\\(const [^;{]*?\\b(\\w+) \\w+\\)");
    t = std::regex_replace(t, kernel,
                           "extern \"C\" void $1(const $2);\n"
                           "extern \"C\" void emu_$1(const void *p) { $1(*(const $2 *)p); }\n$&");
    std::string whole = "#include \"" + home() + "/shim.hpp\"\n" + t + "\n" + tail;
    char name[64];
    snprintf(name, sizeof name, "%016zx", std::hash<std::string>()(whole));
    mkdir((home() + "/cache").c_str(), 0777);
    p->path = home() + "/cache/" + name + ".so";
    if (access(p->path.c_str(), R_OK) == 0) return 0;
    std::string own = p->path + "." + std::to_string(getpid());
    {
        std::ofstream o(own + ".cpp");
        o << whole;
    }
    std::string cmd = "LD_LIBRARY_PATH= nice " EMU_COMPILE " -o '" + own + ".so' '" + own + ".cpp' -lm -lc -lgcc > '" +
                      own + ".log' 2>&1";
    int r = system(cmd.c_str());
    if (r) {
        std::ifstream l(own + ".log");
        std::stringstream z;
        z << l.rdbuf();
        p->log = z.str();
        fprintf(stderr, "emu: %s\n%.2000s\n", cmd.c_str(), p->log.c_str());
        return 6;
    }
    rename((own + ".so").c_str(), p->path.c_str());
    rename((own + ".cpp").c_str(), (p->path + ".cpp").c_str());
    unlink((own + ".log").c_str());
    return 0;
}
int nvrtcGetCUBINSize(program *p, size_t *n) {
    *n = p->path.size() + 1 + 32;
    return 0;
}
int nvrtcGetCUBIN(program *p, char *c) {
    memset(c, 0, p->path.size() + 33);
    strcpy(c, p->path.c_str());
    return 0;
}
int nvrtcGetProgramLogSize(program *p, size_t *n) {
    *n = p->log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(program *p, char *c) {
    strcpy(c, p->log.c_str());
    return 0;
}
int nvrtcDestroyProgram(program **p) {
    delete *p;
    *p = nullptr;
    return 0;
}
}
