import { hasResult, isRunning, taskRoutes } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { ApiError, callApi } from '../http/api.server';
import { NO_PHOTOS, type PhotosState } from './photos-state';
import { type Exchange, tokenOf, visitorOf } from './visitor.server';

/** The state of the last response. Only `running` costs a call to the backend. */
type Known = PhotosState['kind'];
const isKnown = (value: unknown): value is Known => value === 'none' || value === 'running' || value === 'ready';

/** Number of newest tasks whose states are read. */
const TASKS = 5;

function cookieOf({ settings }: AppLoadContext) {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return createCookie(`${isSecure ? '__Host-' : ''}clearframe_photos`, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
  });
}

async function knownIn(request: Request, context: AppLoadContext): Promise<Known | null> {
  const value: unknown = await cookieOf(context).parse(request.headers.get('cookie'));
  return isKnown(value) ? value : null;
}

/** Remembers that a photo is being processed, for the header of the next pages. */
export async function rememberRunning({ request, context }: Exchange): Promise<void> {
  if ((await knownIn(request, context)) !== 'running') context.setCookie(await cookieOf(context).serialize('running'));
}

/** Call after a login or logout, which changes the photos. */
export async function forgetPhotos(context: AppLoadContext): Promise<void> {
  context.setCookie(await cookieOf(context).serialize('', { maxAge: 0 }));
}

/**
 * The state for the header. Asks the backend while a photo is processed, and once in a member's session; otherwise the
 * cookie has the answer, and visitors without photos cause no call.
 * @param exchange the cookie changes with the state
 * @param isSeen the visitor is on a page that shows the photos, or comes from one
 */
export async function photosStateOf({ request, context }: Exchange, isSeen: boolean): Promise<PhotosState> {
  const known = await knownIn(request, context);
  const asks = known === 'running' || (known === null && (await isMember(request, context)));
  const state = asks ? await fetchState(known, request, context) : stateOf(known);
  const shown = state?.kind === 'ready' && isSeen ? NO_PHOTOS : state;
  const hasChanged = shown !== null && (asks || known === 'ready') && shown.kind !== known;
  if (hasChanged) context.setCookie(await cookieOf(context).serialize(shown.kind));
  return shown ?? stateOf(known);
}

const stateOf = (known: Known | null): PhotosState =>
  known === 'running' ? { kind: 'running', count: 1 } : { kind: known ?? 'none' };

/** Null when the backend doesn't answer in time. */
async function fetchState(known: Known | null, request: Request, context: AppLoadContext): Promise<PhotosState | null> {
  const token = await tokenOf(request, context);
  if (!token) return null;
  try {
    const caller = { context, request, token, timeoutMs: context.settings.optionalDataTimeoutMs };
    const { data: tasks } = await callApi(taskRoutes.listTasks, { query: { limit: TASKS } }, caller);
    const count = tasks.filter(({ status }) => isRunning(status)).length;
    if (count > 0) return { kind: 'running', count };
    const [newest] = tasks;
    return known === 'running' && newest && hasResult(newest.status) ? { kind: 'ready' } : NO_PHOTOS;
  } catch (error) {
    request.signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    context.logger.warn({ code: error.code }, 'the state of the photos is unknown');
    return null;
  }
}

const isMember = async (request: Request, context: AppLoadContext): Promise<boolean> =>
  (await visitorOf(request, context)).kind === 'member';
