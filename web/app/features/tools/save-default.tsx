import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import type { ApplyProblem } from './apply-queue';
import { ProblemText } from './apply-status';
import { type Choices, isSameChoice } from './choices';
import { sendTools, type ToolsOrder } from './use-apply';

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
