import { type User, userRoutes } from '@clearframe/contract';
import { type AppLoadContext, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { callApi } from '../../http/api.server';
import { LOGIN_RETURN_PARAMETER, RETURN_PARAMETER } from '../../http/internal-address';
import { asApiError, orNull, throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { type Exchange, endMemberSessions, tokenOf, visitorOf } from '../../session/visitor.server';
import { destinationIn } from '../login/login-address';
import type { LoginDone } from '../login/login-flow';
import {
  findUpload,
  type OnboardingTransfer,
  transferCookie,
  transferOnboarding,
} from '../login/onboarding-cookie.server';
import type { OffersView } from '../plans/offers.server';
import { offersFor } from '../plans/offers.server';
import { requireService } from '../settings/service-country.server';
import { readOnboardingQuery } from './onboarding-address';
import { firstStep } from './steps';

/** In characters. */
const MAX_ID_LENGTH = 255;

/** The get-started modal as a page, and the target of an external onboarding (spec 2, section 2). */
export async function loadOnboarding({ request, context }: LoaderFunctionArgs) {
  requireService(request, context);
  const { search, searchParams } = new URL(request.url);
  const transfer = transferFrom(searchParams);
  if (transfer) return acceptTransfer(transfer, { request, context });

  const bulkUploadId = idIn(searchParams, 'bulk_upload_id');
  if (bulkUploadId) throw await returnToUpload(bulkUploadId, request, context);

  const redeemCode = searchParams.get('redeemCode');
  if (redeemCode && !searchParams.has(LOGIN_RETURN_PARAMETER)) {
    searchParams.set(LOGIN_RETURN_PARAMETER, `/redeem?${new URLSearchParams({ redeemCode })}`);
    throw redirect(`/onboarding?${searchParams}`, 303);
  }

  const session = await memberOf({ request, context });
  const member = session?.member ?? null;
  const query = readOnboardingQuery(searchParams);
  const step = firstStep(member, { options: query, hasRedeemCode: redeemCode !== null });
  const offers = step === 'paywall' && session ? await offersOrNull(session.user, request, context) : null;
  // Without offers there is no paywall.
  if (!step || (step === 'paywall' && !offers)) throw seeOther(destinationIn(search), request);
  const t = await translatorFor(request, 'onboarding');
  return {
    title: t('start.title'),
    query,
    member,
    offers,
    localStorageId: idIn(searchParams, 'local_storage_id'),
  };
}

export async function loadOffersData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const session = await memberOf({ request, context });
  const offers = session && (await offersOrNull(session.user, request, context));
  return Response.json(offers ?? throwPageFor('service.unavailable', context));
}

const offersOrNull = (user: User, request: Request, context: AppLoadContext): Promise<OffersView | null> =>
  orNull(offersFor(request, context, user), { request, context });

function idIn(query: URLSearchParams, name: string): string | null {
  const id = query.get(name);
  return id && id.length <= MAX_ID_LENGTH ? id : null;
}

function transferFrom(query: URLSearchParams): OnboardingTransfer | null {
  const userId = idIn(query, 'user_id');
  return userId ? { userId, bulkUploadId: idIn(query, 'bulk_upload_id') } : null;
}

/** Removes the id from the URL: it gives access to the guest's data. */
async function acceptTransfer(transfer: OnboardingTransfer, exchange: Exchange): Promise<never> {
  const { request, context } = exchange;
  const { searchParams } = new URL(request.url);
  const { kind } = await visitorOf(request, context);
  const token = kind === 'member' ? await tokenOf(request, context) : null;
  if (token) {
    const transferred = await transferOnboarding(token, exchange, transfer);
    throw seeOther(transferred?.next ?? '/', request);
  }
  await transferCookie.write(transfer, context);
  searchParams.delete('user_id');
  searchParams.delete('bulk_upload_id');
  const rest = searchParams.toString();
  throw redirect(`/onboarding${rest && `?${rest}`}`, 303);
}

/** Makes the upload the return address after the login and after a purchase. */
async function returnToUpload(bulkUploadId: string, request: Request, context: AppLoadContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  searchParams.delete('bulk_upload_id');
  const token = await tokenOf(request, context);
  const upload = token && (await findUpload(bulkUploadId, token, context));
  if (upload) {
    searchParams.set(RETURN_PARAMETER, upload.address);
    searchParams.set('taskId', upload.taskId);
  }
  return redirect(`/onboarding?${searchParams}`, 303);
}

interface Member {
  readonly user: User;
  readonly member: LoginDone;
}

/** Null for a guest or an ended session. */
async function memberOf(exchange: Exchange): Promise<Member | null> {
  const { request, context } = exchange;
  const { kind } = await visitorOf(request, context);
  if (kind === 'guest') return null;
  try {
    const token = await tokenOf(request, context);
    const user = await callApi(userRoutes.getCurrentUser, {}, { context, request, token });
    return { user, member: { createdAt: user.createdAt, role: user.role, next: null } };
  } catch (error) {
    if (asApiError(error, { request, context }).code === 'users.not_authorized') await endMemberSessions(exchange);
    return null;
  }
}
