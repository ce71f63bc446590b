/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A handler of XLA's FFI with two buffers and two attributes, one buffer of
/// which is also the result. It takes what it needs without checking, which is
/// the least that a handler can cost there. bench/peers.py builds this, with
/// the headers of the package.
#include <stdint.h>
#include <xla/ffi/api/c_api.h>

XLA_FFI_Error *peer_scale(XLA_FFI_CallFrame *frame);

/// Before a handler is called it is asked for the version it was built with.
static int answer_metadata(const XLA_FFI_CallFrame *frame) {
  if (!frame->extension_start ||
      frame->extension_start->type != XLA_FFI_Extension_Metadata)
    return 0;
  XLA_FFI_Metadata_Extension *extension =
      (XLA_FFI_Metadata_Extension *)frame->extension_start;
  extension->metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  extension->metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  return 1;
}

__attribute__((visibility("default"))) XLA_FFI_Error *
peer_scale(XLA_FFI_CallFrame *frame) {
  if (answer_metadata(frame))
    return NULL;
  const XLA_FFI_Buffer *from = frame->args.args[0];
  const XLA_FFI_Buffer *to = frame->args.args[1];
  const XLA_FFI_Buffer *result = frame->rets.rets[0];
  const XLA_FFI_Scalar *k = frame->attrs.attrs[0];
  const XLA_FFI_Scalar *s = frame->attrs.attrs[1];
  float sum = *(float *)to->data + *(float *)from->data * *(float *)s->value;
  *(float *)result->data = sum + (float)*(int32_t *)k->value;
  return NULL;
}
