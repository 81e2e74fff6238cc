import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { ProgressBar } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { RemainingTime } from '../processing/remaining-time';
import type { ApplyProblem } from './apply-queue';
import { type Choices, isSameChoice } from './choices';
import type { ToolsView } from './tools-view';
import { type ApplyState, sendTools, type ToolsOrder } from './use-apply';

interface ApplyStatusProps {
  readonly state: ApplyState;
  readonly view: Pick<ToolsView, 'results' | 'shownId'>;
  /** Whether a change waits to be applied. */
  readonly hasPendingChange: boolean;
  /** Action and fields of the form that cancels the photo's run. */
  readonly cancelForm: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  readonly onCancel: () => void;
  readonly onRetry: () => void;
  readonly onDiscard: () => void;
}

/** Progress of the run, or why a change isn't applied. */
export function ApplyStatus(props: ApplyStatusProps) {
  const { state, view, hasPendingChange, cancelForm, onCancel, onRetry, onDiscard } = props;
  const { t } = useTranslation(['result', 'common']);
  const shownVersion = useOtherVersion(view);
  return (
    <>
      <p role="status" className="sr-only">
        {state.kind === 'running'
          ? t('panel.starting')
          : shownVersion !== null && t('panel.results.shown', { number: shownVersion })}
      </p>
      {state.kind === 'running' && (
        <div className="apply-status flex items-center gap-3">
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <p className="flex flex-wrap gap-x-3 text-sm font-medium">
              {state.progress === null ? t('panel.starting') : t('panel.applying', { progress: state.progress })}
              {state.remainingSeconds !== null && (
                <span className="font-normal text-muted">
                  <RemainingTime seconds={state.remainingSeconds} />
                </span>
              )}
            </p>
            <ProgressBar label={t('panel.progress')} value={state.progress} />
          </div>
          <form
            method="post"
            action={cancelForm.action}
            onSubmit={(event) => {
              event.preventDefault();
              onCancel();
            }}
          >
            <HiddenFields fields={{ ...cancelForm.fields, intent: 'cancel' }} />
            <Button type="submit" kind="quiet" size="small">
              {t('common:cancel')}
            </Button>
          </form>
        </div>
      )}
      {state.kind === 'refused' && (
        <Notice>
          <ProblemText problem={state.problem} />
          {hasPendingChange && (
            <div className="flex flex-wrap gap-2 pt-2">
              <Button kind="quiet" size="small" onClick={onRetry}>
                {t('common:tryAgain')}
              </Button>
              <Button kind="ghost" size="small" onClick={onDiscard}>
                {t('panel.discard')}
              </Button>
            </div>
          )}
        </Notice>
      )}
    </>
  );
}

/** Number of the displayed result once it isn't the page's first one: screen readers announce it. */
function useOtherVersion({ results, shownId }: ApplyStatusProps['view']): number | null {
  const [firstId] = useState(shownId);
  const [hasChanged, setChanged] = useState(false);
  if (!hasChanged && shownId !== firstId) setChanged(true);
  return hasChanged ? (results.find(({ id }) => id === shownId)?.number ?? null) : null;
}

function ProblemText({ problem }: { readonly problem: ApplyProblem }) {
  const { t } = useTranslation(['result', 'common']);
  if (problem === 'unreachable') return t(navigator.onLine ? 'common:errors.service.unavailable' : 'panel.offline');
  if (problem.code === 'tasks.wrong_state') return t('panel.running');
  return t(`common:errors.${problem.code}`);
}

interface SaveDefaultProps {
  readonly order: ToolsOrder;
  readonly savedChoices: Choices;
  /** A default has been saved by the form, without JavaScript. */
  readonly isSaved: boolean;
}

/** Makes the tools the default of new photos. */
export function SaveDefault({ order, savedChoices, isSaved }: SaveDefaultProps) {
  const { t } = useTranslation('result');
  const [saved, setSaved] = useState(savedChoices);
  const [hasSaved, setHasSaved] = useState(isSaved);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ApplyProblem | null>(null);
  const isDefault = isSameChoice(saved, order.choices);
  const save = async () => {
    setSending(true);
    setProblem(null);
    const answer = await sendTools(order, 'saveDefault');
    setSending(false);
    if ('problem' in answer) return setProblem(answer.problem);
    setSaved(order.choices);
    setHasSaved(true);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      {isDefault ? (
        <p className="text-sm text-muted">{t('panel.savedDefault')}</p>
      ) : (
        <Button
          kind="quiet"
          size="small"
          type="submit"
          name="intent"
          value="saveDefault"
          disabled={isSending}
          onClick={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {t('panel.saveDefault')}
        </Button>
      )}
      <p role="status" className="sr-only">
        {hasSaved && isDefault ? t('panel.savedDefault') : ''}
      </p>
      {problem && (
        <Notice>
          <ProblemText problem={problem} />
        </Notice>
      )}
    </div>
  );
}
