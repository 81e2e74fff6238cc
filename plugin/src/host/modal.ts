import { core } from 'photoshop';
import type { ExecutionContext } from 'photoshop/dom/CoreModules';

/** What Photoshop can't do now, or with this document. Its text is `errors.{reason}` of the panel. */
export type Reason =
  | 'busy'
  | 'closed'
  | 'empty'
  | 'enlarged'
  | 'many_pixels'
  | 'mode'
  | 'no_document'
  | 'no_layer'
  | 'no_selection'
  | 'no_tools'
  | 'resized'
  | 'too_large'
  | 'tiles';

export class HostError extends Error {
  override readonly name = 'HostError';
  readonly reason: Reason;

  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** Photoshop's number for: another plug-in is modal. */
const BUSY = 9;
/** Seconds that Photoshop waits for a modal state of another plug-in to end. */
const TIMEOUT_S = 10;

/** The end of the newest modal state: Photoshop refuses a second one, also to the same plug-in. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` while Photoshop is ours, as briefly as possible: the user can do nothing meanwhile. Calls take turns. Errors pass, as
 * cancelling in Photoshop works by them.
 * @throws HostError `busy` while another plug-in has Photoshop
 */
export function inModal<Result>(
  commandName: string,
  work: (context: ExecutionContext) => Promise<Result>,
): Promise<Result> {
  const turn = previous.then(() => execute(commandName, work));
  previous = turn.catch(() => undefined);
  return turn;
}

async function execute<Result>(
  commandName: string,
  work: (context: ExecutionContext) => Promise<Result>,
): Promise<Result> {
  try {
    // The types lack `timeOut`.
    const options = { commandName, timeOut: TIMEOUT_S };
    return await core.executeAsModal(work, options);
  } catch (error) {
    if ((error as { number?: unknown } | null)?.number === BUSY) throw new HostError('busy', { cause: error });
    throw error;
  }
}
