import type { TilePlace } from '@clearframe/contract';

/** Tiles kept when they are not visible; each takes a megabyte. */
const KEPT = 48;
/** Times that a tile is asked for: its address may have expired, or the network be gone. */
const ATTEMPTS = 3;

/** Decoded tiles of one picture: those that are visible, and the last ones that were. */
export class TileCache {
  private readonly bitmaps = new Map<string, ImageBitmap>();
  private readonly requests = new Map<string, AbortController>();
  private readonly failures = new Map<string, number>();

  private readonly address: string;
  private readonly onLoad: () => void;

  /**
   * @param address see `TileSource`
   * @param onLoad called when another tile is there
   */
  constructor(address: string, onLoad: () => void) {
    this.address = address;
    this.onLoad = onLoad;
  }

  get(tile: TilePlace): ImageBitmap | undefined {
    return this.bitmaps.get(this.addressOf(tile));
  }

  /** Loads what is missing of these, in their order, and gives up what is no longer among them. */
  load(tiles: readonly TilePlace[]): void {
    const wanted = new Set(tiles.map((tile) => this.addressOf(tile)));
    for (const [address, request] of this.requests) if (!wanted.has(address)) request.abort();
    for (const address of wanted) {
      const bitmap = this.bitmaps.get(address);
      if (bitmap) {
        // The oldest ones are the first.
        this.bitmaps.delete(address);
        this.bitmaps.set(address, bitmap);
      } else if (!this.requests.has(address) && (this.failures.get(address) ?? 0) < ATTEMPTS) void this.fetch(address);
    }
    const surplus = this.bitmaps.size - wanted.size - KEPT;
    for (const [address, bitmap] of [...this.bitmaps].slice(0, Math.max(0, surplus))) {
      bitmap.close();
      this.bitmaps.delete(address);
    }
  }

  close(): void {
    for (const request of this.requests.values()) request.abort();
    for (const bitmap of this.bitmaps.values()) bitmap.close();
    this.bitmaps.clear();
  }

  private addressOf({ level, column, row }: TilePlace): string {
    const { address } = this;
    return address.replace('{level}', `${level}`).replace('{column}', `${column}`).replace('{row}', `${row}`);
  }

  private async fetch(address: string): Promise<void> {
    const request = new AbortController();
    this.requests.set(address, request);
    try {
      const response = await fetch(address, { signal: request.signal });
      if (!response.ok) throw new Error(`a tile was answered with ${response.status}`);
      const bitmap = await createImageBitmap(await response.blob());
      if (request.signal.aborted) return bitmap.close();
      this.bitmaps.set(address, bitmap);
      this.onLoad();
    } catch {
      if (!request.signal.aborted) this.failures.set(address, (this.failures.get(address) ?? 0) + 1);
    } finally {
      this.requests.delete(address);
    }
  }
}
