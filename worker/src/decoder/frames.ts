/** A message with its length before it. */
export function frameOf(message: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(message.length);
  return Buffer.concat([length, message]);
}

/** The first message of what was received; null until it is complete. @throws RangeError for one longer than `maxBytes` */
export function messageIn(received: Buffer, maxBytes: number): Buffer | null {
  if (received.length < LENGTH_BYTES) return null;
  const length = received.readUInt32LE();
  if (length > maxBytes) throw new RangeError('the message is too long');
  const end = LENGTH_BYTES + length;
  return received.length < end ? null : received.subarray(LENGTH_BYTES, end);
}

const LENGTH_BYTES = 4;
