import { DISPLAY_MAX_SIDE } from '@clearframe/contract';
import { RequestError, send } from '../../http/browser-client';
import { useData } from '../../http/use-data';
import type { Size } from './zoom';

/** Tiles of one picture; see `tileLevelsOf`. */
export interface TileSource extends Size {
  /** With `{level}`, `{column}` and `{row}` in place of a tile's. */
  readonly address: string;
  readonly isOpaque: boolean;
}

export interface TilesView {
  readonly isPending: boolean;
  /** Of the original; null without, as for a picture that its display file shows in full size. */
  readonly before: TileSource | null;
  readonly after: TileSource | null;
}

/** The display file has fewer pixels. */
export const isLarge = ({ width, height }: Size): boolean => Math.max(width, height) > DISPLAY_MAX_SIDE;

const INTERVAL_MS = 1_000;
/** Before addresses expire. */
const RENEW_MS = 1_800_000;

/**
 * Tiles of a result larger than its display file, ordered when the page opens, so that they exist once it is zoomed.
 * @param output null: there is no result to show
 */
export function useTiles(taskId: string, output: (Size & { readonly id: string }) | null): TilesView | null {
  const { data } = useData<TilesView>(output && isLarge(output) ? [`/tasks/${taskId}/tiles`, output.id] : null, {
    request: (address) => orderTiles(address, output?.id ?? ''),
    refreshInterval: (latest) => (latest && !latest.isPending ? RENEW_MS : INTERVAL_MS),
    dedupingInterval: 0,
    revalidateOnFocus: false,
  });
  return data ?? null;
}

async function orderTiles(address: string, outputId: string): Promise<TilesView> {
  const { body, problem } = await send<TilesView>(address, { outputId });
  if (problem) throw new RequestError(address, problem, null);
  return body;
}
