import { inSeconds, taskRoutes, type User, userRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { ApiError, callApi } from '../../http/api.server';
import { signedCookie } from '../../session/cookies.server';
import { batchAddress, processingAddress } from '../../session/task-addresses';
import type { Exchange } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';

const OnboardingTransfer = z.object({
  /** Single-use; gives access to the guest's data. */
  userId: z.string(),
  bulkUploadId: z.string().nullable(),
});
export type OnboardingTransfer = z.infer<typeof OnboardingTransfer>;

/** Lifetime of identifier cookies (spec 1, section 9). */
export const transferCookie = signedCookie('onboarding', inSeconds.days(730), OnboardingTransfer);

/**
 * Moves the external guest's data to the logged-in user. Drops a used, unknown or own id; keeps it for the next login
 * while the API is unavailable. Failures don't prevent the login.
 * @param transferOfRequest from this request, instead of the cookie's
 */
export async function transferOnboarding(
  token: string,
  { request, context }: Exchange,
  transferOfRequest?: OnboardingTransfer,
): Promise<{ readonly user: User; readonly next: string | null } | null> {
  const transfer = transferOfRequest ?? (await transferCookie.read(request, context));
  if (!transfer) return null;
  const body = { webOnboardingUserId: transfer.userId };
  try {
    const user = await trackOperation({ kind: 'onboardingMigration', details: {} }, { request, context, token }, () =>
      callApi(userRoutes.migrateGuest, { body }, { context, token }),
    );
    await transferCookie.clear(context);
    return { user, next: await nextOf(transfer, token, context) };
  } catch (error) {
    context.logger.warn({ err: error }, 'could not transfer onboarding data');
    if (isFinal(error)) await transferCookie.clear(context);
    return null;
  }
}

async function nextOf({ bulkUploadId }: OnboardingTransfer, token: string, context: AppLoadContext) {
  const upload = bulkUploadId === null ? null : await findUpload(bulkUploadId, token, context);
  return upload?.address ?? null;
}

export async function findUpload(
  bulkUploadId: string,
  token: string,
  context: AppLoadContext,
): Promise<{ readonly address: string; readonly taskId: string } | null> {
  const upload = await callApi(taskRoutes.getBulkUpload, { params: { bulkUploadId } }, { context, token }).catch(
    () => null,
  );
  const [task, ...others] = upload?.taskList ?? [];
  if (!task) return null;
  const { taskId } = task;
  const address = others.length > 0 ? batchAddress(bulkUploadId) : processingAddress(taskId);
  return { address, taskId };
}

const isFinal = (error: unknown): boolean => error instanceof ApiError && error.code.startsWith('users.onboarding_');
