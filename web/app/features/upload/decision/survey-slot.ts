import type { Modals } from '../../modals/create-modals';
import type { Uploader } from '../shared/uploader';

/**
 * The feature-ranking survey before an upload of a subscriber whose trial is over (spec 2, section 4). `show` resolves
 * when it was completed or dismissed, and at once for visitors who completed it; null while there is no survey.
 */
export const SURVEY_SLOT: { show: ((open: Modals['open']) => Promise<unknown>) | null } = { show: null };

export async function showSurvey({ isSurveyed }: Uploader, open: Modals['open']): Promise<void> {
  if (isSurveyed) await SURVEY_SLOT.show?.(open);
}
