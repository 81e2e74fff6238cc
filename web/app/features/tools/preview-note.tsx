import { useTranslation } from 'react-i18next';
import { versionAddress } from '../../session/task-addresses';
import { Button, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import type { Choices } from './choices';
import { requiredPlanOf } from './required-plan';
import type { ToolsView } from './tools-view';

interface PreviewNoteProps {
  readonly view: ToolsView;
  readonly onApply: (choices: Choices) => void;
}

export function PreviewNote({ view, onApply }: PreviewNoteProps) {
  const { t } = useTranslation('result');
  const shown = view.results.find(({ id }) => id === view.shownId);
  if (!shown?.isPreview) return null;
  const plan = requiredPlanOf(shown.choices, view);
  const price = plan && view.prices[plan];
  return (
    <div className="preview-note flex flex-col gap-3 text-accent-ink">
      <div role="status" className="text-pretty">
        <span>{t(plan === null ? 'panel.preview.included' : `panel.preview.${plan}`)}</span>{' '}
        {price && <span className="font-semibold">{t('panel.preview.price', { price })}</span>}
      </div>
      {plan === null && (
        <Button kind="primary" size="small" className="self-start nojs:hidden" onClick={() => onApply(shown.choices)}>
          {t('panel.apply')}
        </Button>
      )}
    </div>
  );
}

const ACTION = 'min-h-11 text-center leading-tight text-balance max-lg:flex-1';

/** In place of the downloads: a preview has none. */
export function PreviewActions({ taskId, view }: { readonly taskId: string; readonly view: ToolsView }) {
  const { t } = useTranslation('result');
  const shown = view.results.find(({ id }) => id === view.shownId);
  const plan = shown ? requiredPlanOf(shown.choices, view) : null;
  return (
    <div className="flex w-full items-stretch gap-2 lg:w-auto">
      {plan !== null && (
        <ModalLink
          modal="offer"
          with={{ topic: plan === 'business' ? 'business_models' : 'premium_models', taskId }}
          className={`${buttonClass('primary', 'small')} ${ACTION}`}
        >
          {t('plans')}
        </ModalLink>
      )}
      {view.ownId !== null && (
        <AppLink
          to={versionAddress(taskId, view.ownId)}
          replace
          preventScrollReset
          className={`${buttonClass('quiet', 'small')} ${ACTION}`}
        >
          {t('panel.back')}
        </AppLink>
      )}
    </div>
  );
}
