import { type User, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { forgetPhotos } from '../../session/photos-state.server';
import { type Exchange, startMemberSession, tokenOf, visitorOf } from '../../session/visitor.server';
import { transferOnboarding } from './onboarding-cookie.server';

interface SignInResult {
  readonly user: User;
  readonly next: string | null;
  readonly token: string;
}

/**
 * Logs in with a provider's token. Moves the data of the guest and of an external onboarding to the account.
 * @throws ApiError
 */
export async function signIn(idToken: string, exchange: Exchange): Promise<SignInResult> {
  const { request, context } = exchange;
  const [{ kind }, currentToken] = await Promise.all([visitorOf(request, context), tokenOf(request, context)]);
  const { accessToken: newToken } = await callApi(
    userRoutes.login,
    { body: { firebaseIdToken: idToken } },
    { context, token: kind === 'guest' ? currentToken : null },
  );
  const user = await callApi(userRoutes.getCurrentUser, {}, { context, token: newToken });
  const memberToken = kind === 'member' ? currentToken : null;
  // A login to the same account keeps the session that other tabs use.
  const keepsSession = memberToken !== null && (await isOf(user, memberToken, context));
  const token = keepsSession ? memberToken : newToken;
  await startMemberSession(token, user, exchange, keepsSession ? 0 : Date.now());
  await forgetPhotos(context);
  await endSession(keepsSession ? newToken : memberToken, context);
  const transferred = await transferOnboarding(token, exchange);
  return { user: transferred?.user ?? user, next: transferred?.next ?? null, token };
}

const isOf = ({ webUserId }: User, token: string, context: AppLoadContext): Promise<boolean> =>
  callApi(userRoutes.getCurrentUser, {}, { context, token }).then(
    (owner) => owner.webUserId === webUserId,
    () => false,
  );

export async function endSession(token: string | null, context: AppLoadContext): Promise<void> {
  if (!token) return;
  await callApi(userRoutes.logout, {}, { context, token }).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'could not end a session'),
  );
}
