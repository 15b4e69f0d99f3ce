/* Expat's configuration for wasm32-wasi: everything but an entropy source, so that every run hashes alike. */
#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 64
#define XML_DTD 1
#define XML_NS 1
#define XML_POOR_ENTROPY 1
