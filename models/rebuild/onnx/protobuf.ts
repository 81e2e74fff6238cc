/** The protobuf wire encodings of ONNX files, by field number. */

const WIRE = { varint: 0, bytes: 2, fixed32: 5 } as const;

export type Bytes = Uint8Array;

export function concat(parts: readonly Bytes[]): Bytes {
  return Buffer.concat(parts);
}

/** Unsigned, or negative (two's complement, 64 bit). */
export function varintField(field: number, value: number | bigint): Bytes {
  return concat([tag(field, WIRE.varint), varint(BigInt(value))]);
}

export function bytesField(field: number, value: string | Bytes): Bytes {
  const body = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  return concat([tag(field, WIRE.bytes), varint(BigInt(body.length)), body]);
}

export function floatField(field: number, value: number): Bytes {
  const body = Buffer.alloc(4);
  body.writeFloatLE(value);
  return concat([tag(field, WIRE.fixed32), body]);
}

function tag(field: number, wire: number): Bytes {
  return varint(BigInt((field << 3) | wire));
}

function varint(value: bigint): Bytes {
  let rest = BigInt.asUintN(64, value);
  const out: number[] = [];
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(out);
}

/** The fields of a message in their order. */
export function readFields(bytes: Bytes): { field: number; value: bigint | Bytes }[] {
  const fields: { field: number; value: bigint | Bytes }[] = [];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('A message ends too early');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Bytes => {
    at += length;
    if (at > bytes.length) throw new Error('A message ends too early');
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(next());
    const wire = key & 7;
    if (wire !== WIRE.varint && wire !== WIRE.bytes && wire !== WIRE.fixed32) throw new Error(`Wire type ${wire}`);
    const value = wire === WIRE.varint ? next() : take(wire === WIRE.bytes ? Number(next()) : 4);
    fields.push({ field: key >> 3, value });
  }
  return fields;
}
