import { type User, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../api.server';
import { becomeMember, tokenOf, visitorOf } from '../../visitor.server';
import { bringOnboardingAlong } from '../onboarding/onboarding-cookie.server';

interface LoginParts {
  readonly request: Request;
  readonly context: AppLoadContext;
  /** Of the answer: cookies are put there. */
  readonly headers: Headers;
}

interface SignInResult {
  readonly user: User;
  /** Where an onboarding elsewhere wants to go on, or null. */
  readonly next: string | null;
}

/**
 * Signs somebody in with what a provider says of them. What the guest of the cookies has moves along, and so does what
 * an onboarding elsewhere has begun.
 * @throws ApiError
 */
export async function signIn(idToken: string, { request, context, headers }: LoginParts): Promise<SignInResult> {
  const [{ kind }, before] = await Promise.all([visitorOf(request, context), tokenOf(request, context)]);
  const { accessToken: token } = await callApi(
    userRoutes.login,
    { body: { firebaseIdToken: idToken } },
    { context, token: kind === 'guest' ? before : null },
  );
  const user = await callApi(userRoutes.getMe, {}, { context, token });
  await becomeMember(token, user, headers, context);
  // Somebody else may have been signed in until now.
  if (kind === 'member') await endSession(before, context);
  const brought = await bringOnboardingAlong(token, { request, context, headers });
  return { user: brought?.user ?? user, next: brought?.next ?? null };
}

/** Makes a token worthless. One that is so already, or can't be reached, is no reason to stay. */
export async function endSession(token: string | null, context: AppLoadContext): Promise<void> {
  if (!token) return;
  await callApi(userRoutes.logout, {}, { context, token }).catch((error: unknown) =>
    context.logger.warn({ err: error }, 'a session could not be ended'),
  );
}
