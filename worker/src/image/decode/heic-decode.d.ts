declare module 'heic-decode' {
  /** Decodes the primary picture to RGBA, upright, 8 bits a sample. */
  function decode(input: { buffer: Uint8Array }): Promise<{ width: number; height: number; data: Uint8ClampedArray }>;
  export = decode;
}
