/* libyaml: all events of a stream. */
#include "yaml.h"
#include "input.h"

static void parse(void) {
    yaml_parser_t parser;
    yaml_event_t event;
    if (!yaml_parser_initialize(&parser))
        return;
    yaml_parser_set_input_string(&parser, input, SIZE);
    for (int last = 0; !last;) {
        if (!yaml_parser_parse(&parser, &event))
            break;
        last = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}
