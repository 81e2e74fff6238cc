import { ALLOWANCES, type OutputContentType, type Role, type User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { singlePrice } from '../../billing/plans/offers.server';
import type { OutputView, TaskView } from '../task/task-view';
import type { DownloadView, FormatOffer } from './download-view';

const FORMATS: readonly OutputContentType[] = ['image/jpeg', 'image/png', 'image/tiff'];

type Finished = TaskView & { readonly output: OutputView };

/**
 * How a result can be downloaded; without an offer when prices are unavailable.
 * @throws ApiError
 */
export async function downloadOf(
  task: Finished,
  user: User | null,
  request: Request,
  context: AppLoadContext,
): Promise<DownloadView> {
  const single = await singlePrice(request, context, user).catch(() => null);
  const role = user?.role ?? 'guest';
  const isFree = role === 'business' || task.isExported;
  const left = isFree ? 0 : leftOf(user, role);
  return {
    primary: left > 0 ? 'export' : 'file',
    // Guests buy single pictures: there is nothing to count.
    left: left > 0 && role !== 'guest' ? left : null,
    offer: isFree || left > 0 ? null : single,
    hasPlansAbove: role !== 'business' && role !== 'personal',
    formats: formatsFor(role, task.output.contentType),
  };
}

function leftOf(user: User | null, role: Role): number {
  if (!user) return 0;
  const { exports, exportsUsed } = user.limits;
  const ofPeriod = role === 'personal' ? Math.max(0, (exports ?? 0) - exportsUsed) : 0;
  return ofPeriod + user.availableCredits;
}

const formatsFor = (role: Role, displayed: string): FormatOffer[] =>
  FORMATS.filter((contentType) => contentType !== displayed)
    .map((contentType) => ({
      contentType,
      name: contentType.replace('image/', '').toUpperCase(),
      isLocked: !ALLOWANCES[role].formats.includes(contentType),
    }))
    // An unlocked JPEG is what the main button downloads, except on business plans.
    .filter(({ contentType, isLocked }) => isLocked || role === 'business' || contentType !== 'image/jpeg');
