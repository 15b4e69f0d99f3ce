/* Jansson's private configuration for wasm32-wasi. */
#define HAVE_STDINT_H 1
#define INITIAL_HASHTABLE_ORDER 3
