import { type FaceReport, type Recipe, toolsOf } from '@clearframe/contract';

/** A note on what was done to a picture. */
export type ResultNote =
  | { readonly kind: 'restored'; readonly faces: number }
  | { readonly kind: 'cleaned' | 'noFace' | 'facesLeft' | 'facesHeldBack' | 'bokehLeft' | 'liftingLeft' };

/** Why a picture was left as it is: its faces and background need no restoration, or only other tools were chosen, or none. */
export type UntouchedReason = 'sharp' | 'other' | 'none';

export function untouchedReasonOf({ aiPipeline }: Pick<Recipe, 'aiPipeline'>): UntouchedReason {
  if (aiPipeline.faceEnhance || aiPipeline.backgroundEnhance) return 'sharp';
  return toolsOf(aiPipeline).length > 0 ? 'other' : 'none';
}

/** Notes on restored faces and on requested tools that were not applied. */
export function notesOf({ aiPipeline, leftAlone = [] }: Recipe, faces: readonly FaceReport[]): ResultNote[] {
  const notes: ResultNote[] = [];
  if (aiPipeline.faceEnhance) {
    const heldBack = faces.some((face) => face.heldBack);
    const isCleaned = aiPipeline.backgroundEnhance && !leftAlone.includes('background_enhance');
    const restored = faces.filter((face) => face.restored).length;
    if (faces.length === 0) notes.push({ kind: isCleaned ? 'cleaned' : 'noFace' });
    else if (restored > 0) notes.push({ kind: 'restored', faces: restored });
    else if (!heldBack) notes.push({ kind: 'facesLeft' });
    if (heldBack) notes.push({ kind: 'facesHeldBack' });
  }
  if (leftAlone.includes('face_lifting')) notes.push({ kind: 'liftingLeft' });
  if (leftAlone.includes('bokeh')) notes.push({ kind: 'bokehLeft' });
  return notes;
}
