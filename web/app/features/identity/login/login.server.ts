import { type User, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../../http/api.server';
import { type Exchange, startMemberSession, tokenOf, visitorOf } from '../../../session/visitor.server';
import { transferOnboarding } from './onboarding-cookie.server';

interface SignInResult {
  readonly user: User;
  /** Next page of an external onboarding, or null. */
  readonly next: string | null;
}

/**
 * Logs in with a provider's token. Moves the data of the guest and of an external onboarding to the account.
 * @throws ApiError
 */
export async function signIn(idToken: string, exchange: Exchange): Promise<SignInResult> {
  const { request, context } = exchange;
  const [{ kind }, before] = await Promise.all([visitorOf(request, context), tokenOf(request, context)]);
  const { accessToken: opened } = await callApi(
    userRoutes.login,
    { body: { firebaseIdToken: idToken } },
    { context, token: kind === 'guest' ? before : null },
  );
  const user = await callApi(userRoutes.getMe, {}, { context, token: opened });
  const earlier = kind === 'member' ? before : null;
  // A login to the same account keeps the session that other tabs use.
  const goesOn = earlier !== null && (await isOf(user, earlier, context));
  const token = goesOn ? earlier : opened;
  await startMemberSession(token, user, exchange, goesOn ? 0 : Date.now());
  await endSession(goesOn ? opened : earlier, context);
  const brought = await transferOnboarding(token, exchange);
  return { user: brought?.user ?? user, next: brought?.next ?? null };
}

/** Whether a token is valid and belongs to a user. */
const isOf = ({ webUserId }: User, token: string, context: AppLoadContext): Promise<boolean> =>
  callApi(userRoutes.getMe, {}, { context, token }).then(
    (owner) => owner.webUserId === webUserId,
    () => false,
  );

/** Revokes a token. Only logs failures, so that they don't prevent a logout. */
export async function endSession(token: string | null, context: AppLoadContext): Promise<void> {
  if (!token) return;
  await callApi(userRoutes.logout, {}, { context, token }).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'a session could not be ended'),
  );
}
