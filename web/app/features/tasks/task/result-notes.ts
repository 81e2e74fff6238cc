import type { FaceReport, Recipe } from '@clearframe/contract';

/** Something to say of a result, beside the picture itself. */
export type ResultNote =
  | { readonly kind: 'restored'; readonly faces: number }
  | { readonly kind: 'cleaned' | 'noFace' | 'facesLeft' | 'bokehLeft' | 'liftingLeft' };

/** What was done, and what was requested but not done. */
export function notesOf({ aiPipeline, leftAlone = [] }: Recipe, faces: readonly FaceReport[]): ResultNote[] {
  const notes: ResultNote[] = [];
  if (aiPipeline.faceEnhance) {
    if (faces.length === 0) notes.push({ kind: aiPipeline.backgroundEnhance ? 'cleaned' : 'noFace' });
    else if (leftAlone.includes('face_enhance')) notes.push({ kind: 'facesLeft' });
    else notes.push({ kind: 'restored', faces: restoredOf(faces) });
  }
  if (leftAlone.includes('face_lifting')) notes.push({ kind: 'liftingLeft' });
  if (leftAlone.includes('bokeh')) notes.push({ kind: 'bokehLeft' });
  return notes;
}

/** Faces that were left alone are not compared with themselves; one that was restored may be too small for that. */
const restoredOf = (faces: readonly FaceReport[]): number =>
  faces.filter(({ identitySimilarity }) => identitySimilarity !== null).length || faces.length;
