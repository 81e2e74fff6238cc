import { ALLOWANCES, type Role, type User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { singlePrice } from '../plans/offers.server';
import type { FinishedTask } from '../tasks/task-view';
import {
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadView,
  estimatedBytes,
  type FormatOffer,
} from './download-view';

const PREPARING: DownloadView = {
  primary: 'preparing',
  left: null,
  offer: null,
  isLimitReached: false,
  hasPlansAbove: false,
  formats: [],
};

/**
 * How a result can be downloaded; without an offer when prices are unavailable.
 * @throws ApiError
 */
export async function downloadOf(
  task: FinishedTask,
  user: User | null,
  request: Request,
  context: AppLoadContext,
): Promise<DownloadView> {
  const role = user?.role ?? 'guest';
  if (role !== 'business' && task.exportState === 'preparing') return PREPARING;
  const single = await singlePrice(request, context, user).catch(() => null);
  const isFree = role === 'business' || task.exportState === 'ready';
  const isGiven = task.output.isUntouched || task.isTest;
  const left = isFree || isGiven ? 0 : leftOf(user, role);
  return {
    primary: left > 0 ? 'export' : 'file',
    // Guests buy single pictures: there is nothing to count.
    left: left > 0 && role !== 'guest' ? left : null,
    offer: isFree || isGiven || left > 0 ? null : single,
    isLimitReached: role === 'personal' && !isFree && !isGiven && left === 0,
    hasPlansAbove: !isGiven && role !== 'business' && role !== 'personal',
    formats: formatsFor(role, task.output, isFree || isGiven || left > 0),
  };
}

function leftOf(user: User | null, role: Role): number {
  if (!user) return 0;
  const { exports, exportsUsed } = user.limits;
  const ofPeriod = role === 'personal' ? Math.max(0, (exports ?? 0) - exportsUsed) : 0;
  return ofPeriod + user.availableCredits;
}

const FORMATS = Object.keys(DOWNLOAD_FORMATS) as DownloadFormat[];

function formatsFor(role: Role, output: FinishedTask['output'], mayExport: boolean): FormatOffer[] {
  const { width, height, contentType, fullSize } = output;
  const full = fullSize ?? { width, height, sizeBytes: 0 };
  return FORMATS.map((format) => {
    const { outputContentType } = DOWNLOAD_FORMATS[format];
    const whole = { format, width: full.width, height: full.height, bytes: estimatedBytes(format, full) };
    if (!ALLOWANCES[role].formats.includes(outputContentType)) return { ...whole, kind: 'locked' };
    if (mayExport) return { ...whole, kind: 'export' };
    // Unpaid files have the default quality, and may be smaller.
    if (format !== 'jpeg90' || contentType !== outputContentType) return { ...whole, kind: 'locked' };
    const share = (width * height) / (full.width * full.height);
    return { format, width, height, bytes: whole.bytes * share, kind: 'file' };
  });
}
