/** Probabilities of 11 bits, by their first index (LZMA specification, I. Pavlov, 2015). */
const FIRST = {
  isMatch: 0,
  isRepeat: 192,
  isOther: [204, 216, 228],
  isLongRepeat: 240,
  slot: 432,
  distance: 688,
  align: 816,
  length: 832,
  repeatLength: 1_346,
  literal: 1_860,
} as const;
const HALF = 1_024;
const MAX_LITERAL_BITS = 4;

/** Chunk types of LZMA2 (The .xz File Format, 5.3.1; liblzma, lzma2_decoder.c). */
const CONTROL = { end: 0, rawAfterReset: 1, raw: 2, lzma: 0x80 } as const;
const RESET = { nothing: 0, properties: 2, everything: 3 } as const;

/**
 * Unpacks LZMA2 chunks from `start` on.
 * @throws RangeError for damaged data, or more than `maxBytes`
 */
export function unpackLzma2(input: Buffer, start: number, maxBytes: number): Buffer {
  const output = Buffer.alloc(maxBytes);
  const coder = createCoder(output);
  let [at, to] = [start, 0];
  for (;;) {
    const control = input.readUInt8(at);
    if (control === CONTROL.end) return output.subarray(0, to);
    const isRaw = control < CONTROL.lzma;
    if (isRaw && control > CONTROL.raw) throw new RangeError('unknown chunk');
    const size = ((isRaw ? 0 : control & 0x1f) << 16) + input.readUInt16BE(at + 1) + 1;
    if (to + size > maxBytes) throw new RangeError('the data unpacks to more than its picture');
    if (control === CONTROL.rawAfterReset || (!isRaw && ((control >> 5) & 3) === RESET.everything)) coder.base = to;
    if (isRaw) {
      requireInside(input, at + 3 + size);
      input.copy(output, to, at + 3, at + 3 + size);
      at += 3 + size;
    } else {
      const reset = (control >> 5) & 3;
      const packed = input.readUInt16BE(at + 3) + 1;
      const hasProperties = reset >= RESET.properties;
      const from = at + (hasProperties ? 6 : 5);
      requireInside(input, from + packed);
      if (hasProperties) coder.setProperties(input.readUInt8(at + 5));
      if (reset !== RESET.nothing) coder.resetState();
      coder.decode(input.subarray(from, from + packed), to, to + size);
      at = from + packed;
    }
    to += size;
  }
}

function requireInside(input: Buffer, end: number): void {
  if (end > input.length) throw new RangeError('a chunk ends after the data');
}

function createCoder(output: Buffer) {
  let [literalContext, literalPosition, position] = [0, 0, 0];
  let probabilities = new Uint16Array(0);
  let state = 0;
  let distances: [number, number, number, number] = [0, 0, 0, 0];
  let [packed, at, range, code]: [Buffer, number, number, number] = [output, 0, 0, 0];

  const normalize = (): void => {
    if (range >= 0x100_0000) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | (packed[at++] ?? 0)) >>> 0;
  };
  const bit = (index: number): number => {
    normalize();
    const probability = probabilities[index] ?? HALF;
    const bound = (range >>> 11) * probability;
    if (code < bound) {
      range = bound;
      probabilities[index] = probability + ((2_048 - probability) >> 5);
      return 0;
    }
    range -= bound;
    code -= bound;
    probabilities[index] = probability - (probability >> 5);
    return 1;
  };
  const direct = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++) {
      normalize();
      range >>>= 1;
      const isSet = code >= range;
      if (isSet) code -= range;
      value = value * 2 + (isSet ? 1 : 0);
    }
    return value;
  };
  const tree = (first: number, count: number): number => {
    let node = 1;
    for (let index = 0; index < count; index++) node = (node << 1) | bit(first + node);
    return node - (1 << count);
  };
  const reverseTree = (first: number, count: number): number => {
    let [node, value] = [1, 0];
    for (let index = 0; index < count; index++) {
      const next = bit(first + node);
      node = (node << 1) | next;
      value |= next << index;
    }
    return value;
  };
  const lengthOf = (first: number, place: number): number => {
    if (bit(first) === 0) return 2 + tree(first + 2 + place * 8, 3);
    if (bit(first + 1) === 0) return 10 + tree(first + 130 + place * 8, 3);
    return 18 + tree(first + 258, 8);
  };
  const newDistance = (length: number): number => {
    const slot = tree(FIRST.slot + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return base + reverseTree(FIRST.distance + base - slot, count);
    return base + direct(count - 4) * 16 + reverseTree(FIRST.align, 4);
  };
  const literal = (to: number, base: number): number => {
    const before = to > base ? (output[to - 1] ?? 0) : 0;
    const place = (((to - base) & literalPosition) << literalContext) + (before >> (8 - literalContext));
    const first = FIRST.literal + 0x300 * place;
    let symbol = 1;
    let match = state >= 7 ? (output[to - distances[0] - 1] ?? 0) : -1;
    while (symbol < 0x100) {
      if (match < 0) symbol = (symbol << 1) | bit(first + symbol);
      else {
        const expected = (match >> 7) & 1;
        const found = bit(first + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | found;
        match = expected === found ? (match << 1) & 0xff : -1;
      }
    }
    return symbol & 0xff;
  };
  /** Moves a distance used before to the front. */
  const repeatOther = (): void => {
    const [first, second, third, fourth] = distances;
    if (bit(FIRST.isOther[1] + state) === 0) distances = [second, first, third, fourth];
    else if (bit(FIRST.isOther[2] + state) === 0) distances = [third, first, second, fourth];
    else distances = [fourth, first, second, third];
  };

  const coder = {
    /** Start of the dictionary. */
    base: 0,
    setProperties(value: number): void {
      literalContext = value % 9;
      const literalPositionBits = Math.floor(value / 9) % 5;
      if (value >= 9 * 5 * 5 || literalContext + literalPositionBits > MAX_LITERAL_BITS) {
        throw new RangeError('unknown properties');
      }
      literalPosition = (1 << literalPositionBits) - 1;
      position = (1 << Math.floor(value / 45)) - 1;
      probabilities = new Uint16Array(FIRST.literal + (0x300 << (literalContext + literalPositionBits)));
    },
    resetState(): void {
      probabilities.fill(HALF);
      state = 0;
      distances = [0, 0, 0, 0];
    },
    decode(chunk: Buffer, from: number, end: number): void {
      if (probabilities.length === 0) throw new RangeError('properties are missing');
      [packed, at, range, code] = [chunk, 5, 0xffff_ffff, chunk.readUInt32BE(1)];
      for (let to = from; to < end; ) {
        const place = (to - coder.base) & position;
        if (bit(FIRST.isMatch + state * 16 + place) === 0) {
          output[to] = literal(to, coder.base);
          to++;
          state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
          continue;
        }
        let length = 1;
        if (bit(FIRST.isRepeat + state) === 0) {
          length = lengthOf(FIRST.length, place);
          distances = [newDistance(length), distances[0], distances[1], distances[2]];
          state = state < 7 ? 7 : 10;
        } else {
          const isOther = bit(FIRST.isOther[0] + state) === 1;
          if (isOther) repeatOther();
          if (isOther || bit(FIRST.isLongRepeat + state * 16 + place) === 1) {
            length = lengthOf(FIRST.repeatLength, place);
            state = state < 7 ? 8 : 11;
          } else state = state < 7 ? 9 : 11;
        }
        const source = to - distances[0] - 1;
        if (source < coder.base || to + length > end) throw new RangeError('a match lies outside the data');
        for (let index = 0; index < length; index++) output[to + index] = output[source + index] ?? 0;
        to += length;
      }
      if (at > chunk.length) throw new RangeError('a chunk ends too early');
    },
  };
  return coder;
}
