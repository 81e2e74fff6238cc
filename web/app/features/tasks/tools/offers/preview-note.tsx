import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '../../../../ui/controls/button';
import { AppLink } from '../../../../ui/page/app-link';
import { resultAddress } from '../apply/result-address';
import type { Choices } from '../choices/choices';
import { requiredPlanOf } from '../view/required-plan';
import type { ToolsView } from '../view/tools-view';

interface PreviewNoteProps {
  readonly taskId: string;
  readonly view: ToolsView;
  readonly onApply: (choices: Choices) => void;
}

/** What the tools of the displayed preview cost, and the way back. */
export function PreviewNote({ taskId, view, onApply }: PreviewNoteProps) {
  const { t } = useTranslation('result');
  const shown = view.results.find(({ id }) => id === view.shownId);
  if (!shown?.isPreview) return null;
  const plan = requiredPlanOf(shown.choices, view);
  const price = plan && view.prices[plan];
  return (
    <div className="flex flex-col gap-3 rounded-2xl bg-accent-soft px-4 py-3.5 text-accent-ink">
      <div role="status" className="text-[0.9375rem] text-pretty">
        <p>{t(plan === null ? 'panel.preview.included' : `panel.preview.${plan}`)}</p>
        {price && <p className="font-semibold">{t('panel.preview.price', { price })}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {plan === null ? (
          <Button kind="primary" size="small" className="nojs:hidden" onClick={() => onApply(shown.choices)}>
            {t('panel.apply')}
          </Button>
        ) : (
          <AppLink to={`/upgrade?taskId=${taskId}`} className={buttonClass('primary', 'small')}>
            {t('plans')}
          </AppLink>
        )}
        {view.ownId !== null && (
          <AppLink
            to={resultAddress(taskId, view.ownId)}
            replace
            preventScrollReset
            className={buttonClass('quiet', 'small')}
          >
            {t('panel.back')}
          </AppLink>
        )}
      </div>
    </div>
  );
}
