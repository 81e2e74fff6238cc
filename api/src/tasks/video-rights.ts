import type { EntityManager } from 'typeorm';

/** Gives the weekly allowance of videos back; implemented by billing. */
export abstract class VideoRights {
  /** For a video that did not finish. Keeps what a finished one has used. */
  abstract release(manager: EntityManager, taskId: string): Promise<void>;
}
