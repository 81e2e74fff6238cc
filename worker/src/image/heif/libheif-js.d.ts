declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Fills `data` with RGBA of 8 bits, upright; calls back with null where the picture can't be decoded. */
    display(
      into: { data: Uint8ClampedArray; width: number; height: number },
      done: (shown: { data: Uint8ClampedArray } | null) => void,
    ): void;
  }
  class HeifDecoder {
    /** Every picture of a file but thumbnails and the like, in the order of the file; none where it can't be read. */
    decode(file: Uint8Array): HeifImage[];
  }
  const libheif: { HeifDecoder: typeof HeifDecoder };
  export = libheif;
}
