import { cosine, cropForRecognition, embedFace, type FaceEmbedding } from '../networks/face-recognition.js';
import type { Point } from '../networks/manifest.js';
import type { Session } from '../networks/sessions.js';
import type { Raster } from '../rasters/raster.js';

/** Pixels across a face to which all are reduced: a face that comes nearer has the same embedding. */
const COMPARED_PIXELS = 24;
/**
 * Least cosine to the person's newest embedding. Faces of twelve people, found anew every 16 or 24 frames of two clips, had at least
 * .80, other people's at most .66; other people's in pictures had at most .69 (see `IdentityCheck`).
 */
const SAME_PERSON = 0.72;

/**
 * Distinguishes the people of a video: a face lost and found again counts once. Embeddings are biometric data and stay
 * in memory.
 */
export class People {
  readonly #known: FaceEmbedding[] = [];

  get count(): number {
    return this.#known.length;
  }

  /**
   * @param points of the face in the picture; see `fivePoints`
   * @param present people who are in the same frame, so that they are others
   * @returns the person's number
   */
  async identify(
    recognition: Session,
    picture: Raster,
    points: readonly Point[],
    present: ReadonlySet<number>,
  ): Promise<number> {
    const face = await cropForRecognition(recognition, picture, points);
    const embedding = await embedFace(recognition, face, COMPARED_PIXELS);
    const likeness = this.#known.map((known, person) => (present.has(person) ? 0 : cosine(known, embedding)));
    const best = Math.max(0, ...likeness);
    const person = best >= SAME_PERSON ? likeness.indexOf(best) : this.#known.length;
    // The newest: people turn slowly.
    this.#known[person] = embedding;
    return person;
  }
}
