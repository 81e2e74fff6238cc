import type { FaceReport, Recipe } from '@clearframe/contract';

/** A note on what was done to a picture. */
export type ResultNote =
  | { readonly kind: 'restored'; readonly faces: number }
  | { readonly kind: 'cleaned' | 'noFace' | 'facesLeft' | 'facesHeldBack' | 'bokehLeft' | 'liftingLeft' };

/** Notes on restored faces and on requested tools that were not applied. */
export function notesOf({ aiPipeline, leftAlone = [] }: Recipe, faces: readonly FaceReport[]): ResultNote[] {
  const notes: ResultNote[] = [];
  if (aiPipeline.faceEnhance) {
    const heldBack = faces.some((face) => face.heldBack);
    const isCleaned = aiPipeline.backgroundEnhance && !leftAlone.includes('background_enhance');
    if (faces.length === 0) notes.push({ kind: isCleaned ? 'cleaned' : 'noFace' });
    else if (!leftAlone.includes('face_enhance'))
      notes.push({ kind: 'restored', faces: faces.filter(({ restored }) => restored).length });
    else if (!heldBack) notes.push({ kind: 'facesLeft' });
    if (heldBack) notes.push({ kind: 'facesHeldBack' });
  }
  if (leftAlone.includes('face_lifting')) notes.push({ kind: 'liftingLeft' });
  if (leftAlone.includes('bokeh')) notes.push({ kind: 'bokehLeft' });
  return notes;
}
