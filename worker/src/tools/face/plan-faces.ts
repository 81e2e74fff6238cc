import type { AiPipeline } from '@clearframe/contract/pipeline';
import type { Box } from '../../rasters/raster.js';
import type { PipelineContext } from '../restoration/context.js';

type Request = NonNullable<AiPipeline['faceEnhance']>;
type ListedFace = NonNullable<Request['faces']>[number];

/** What becomes of a face. */
export interface FacePlan {
  /** Share of what its restoration changes, 0..1. */
  readonly strength: number;
  /** Whether it has the original's pixels, also where the background was enhanced. */
  readonly isOriginal: boolean;
  /** Whether that is because its restoration isn't similar enough. */
  readonly isTooDifferent: boolean;
}

/**
 * Plans by index of the face, and the places in the request's list of entries that match none. Of several entries for a
 * face the last one counts.
 */
export function planFaces(
  { original, faces, patches }: Pick<PipelineContext, 'original' | 'faces' | 'patches'>,
  { strength = 1, faces: listed = [], minIdentitySimilarity = 0 }: Partial<Request> = {},
): { plans: FacePlan[]; unmatched: number[] } {
  const matches = listed.map((entry) => indexOf(entry, faces, original));
  const plans = faces.map((_, index) => {
    const asked = listed[matches.lastIndexOf(index)]?.strength;
    const patch = patches[index];
    const isShown = patch && patch.blend > 0 && (asked ?? strength) > 0;
    // One that can't be compared can't be shown to be similar.
    const isTooDifferent = Boolean(isShown && (patch.similarity ?? 0) < minIdentitySimilarity);
    return { strength: asked ?? strength, isOriginal: asked === 0 || isTooDifferent, isTooDifferent };
  });
  return { plans, unmatched: matches.flatMap((match, place) => (match < 0 ? [place] : [])) };
}

/** The model of each face. */
export function modelsOfFaces(
  { original, faces }: Pick<PipelineContext, 'original' | 'faces'>,
  { model, faces: listed = [] }: Request,
): Request['model'][] {
  const matches = listed.map((entry) => indexOf(entry, faces, original));
  return faces.map((_, index) => listed[matches.lastIndexOf(index)]?.model ?? model);
}

type Size = Pick<PipelineContext['original'], 'width' | 'height'>;
type Boxed = { readonly box: Box };

/** Of the face whose center lies in the box, nearest to the box's; -1 for none. */
function indexOf(entry: ListedFace, faces: readonly Boxed[], picture: Size): number {
  if ('index' in entry) return entry.index < faces.length ? entry.index : -1;
  const box = inPixels(entry.box, picture);
  const middle = centerOf(box);
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (const [index, face] of faces.entries()) {
    const { x, y } = centerOf(face.box);
    const isInside = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    const distance = Math.hypot(x - middle.x, y - middle.y);
    if (isInside && distance < least) [found, least] = [index, distance];
  }
  return found;
}

const centerOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** No face has a pixel or less, so that such a box is in fractions of the picture. */
function inPixels(box: Box, { width, height }: Size): Box {
  if (box.width > 1 || box.height > 1) return box;
  return { x: box.x * width, y: box.y * height, width: box.width * width, height: box.height * height };
}
