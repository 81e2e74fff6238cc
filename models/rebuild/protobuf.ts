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
