import { useLocation } from '@remix-run/react';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../http/internal-address';
import { Button } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { useStableUrl } from '../../ui/picture/picture-url';
import { Sheet } from '../../ui/stage/sheet';
import type { FinishedTask } from '../tasks/task-view';
import { ApplyStatus, SaveDefault } from './apply-status';
import { bokehFieldsOf, type Choices } from './choices';
import { Faces } from './faces';
import { MediaDetails } from './media-details';
import { MismatchOffer, NewModels, PreviewNote, ResultNotes } from './panel-notes';
import { PanelTabs } from './panel-tabs';
import { ResultsStrip } from './results-strip';
import { MoreTab, SectionTab } from './tabs';
import { requiredPlanOf, type ToolsResponse, type ToolsView } from './tools-view';
import { TOOLS_ACTION, useApply } from './use-apply';
import { useLooks } from './use-looks';

interface ToolPanelProps {
  readonly task: FinishedTask;
  readonly view: ToolsView;
  readonly response: ToolsResponse;
  /** Above everything else. */
  readonly children?: ReactNode;
}

export function ToolPanel({ task, view, response, children }: ToolPanelProps) {
  const { t } = useTranslation(['result', 'common']);
  const { search } = useLocation();
  const { taskId } = task;
  const { pending, state, want, retry, discard, cancel } = useApply(task, view, response.problem);
  const shown = view.results.find(({ id }) => id === view.shownId);
  const choices = pending?.choices ?? shown?.choices ?? view.savedChoices;
  const keepLocation = pending?.keepLocation ?? view.keepLocation;
  const isRunning = state.kind === 'running';
  const isIdle = pending === null && !isRunning;
  const [firstFace] = view.faces;
  const face = firstFace ? { box: firstFace.box, size: view.details.resultSize } : null;
  const plainUrl = useStableUrl(shown ? (shown.mediumUrl ?? shown.url) : null);
  const looks = useLooks(taskId, view.ownId, !isRunning);
  const choose = (next: Choices) => want({ choices: next, keepLocation });
  const action = preserveVersionParam(TOOLS_ACTION, search);
  const identity = { taskId, bulkUploadId: view.bulkUploadId, outputId: view.shownId };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    choose(choices);
  };

  return (
    <Sheet
      label={t('edit')}
      summary={
        <>
          {children}
          <ApplyStatus
            state={state}
            view={view}
            hasPendingChange={pending !== null}
            cancelForm={{ action, fields: identity }}
            onCancel={cancel}
            onRetry={retry}
            onDiscard={discard}
          />
          <div className={isIdle ? 'contents' : 'summary-outdated flex flex-col gap-4 empty:hidden'}>
            {view.offer && (
              <MismatchOffer
                offer={view.offer}
                fields={{ ...identity, ...(keepLocation ? { keepLocation: 'yes' } : {}) }}
                action={action}
                onApply={() => view.offer && choose(view.offer.choices)}
              />
            )}
            <PreviewNote view={view} onApply={choose} />
          </div>
          {/* A narrow screen has room for the most important only. */}
          <div className={shown?.isPreview ? 'contents max-lg:js:hidden' : isIdle ? 'contents' : 'summary-behind'}>
            <ResultNotes output={task.output} details={view.details} isTest={task.isTest} />
          </div>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {view.showsNewModels && <NewModels action={action} fields={identity} />}
        <form method="post" action={action} onSubmit={onSubmit} className="flex flex-col gap-5">
          {/* Enter applies: browsers use the first button of a form, which would save the tools as the default. */}
          <button type="submit" disabled={isRunning} tabIndex={-1} aria-hidden className="sr-only" />
          <HiddenFields fields={{ ...identity, ...bokehFieldsOf(choices) }} />
          <PanelTabs
            label={t('panel.label')}
            tabs={[
              ...view.sections.map(({ section, tools }) => ({
                key: section,
                label: t(`panel.sections.${section}`),
                content: (
                  <>
                    <SectionTab
                      {...{ tools, choices, looks, face, plainUrl }}
                      isSepia={view.isSepia}
                      onChange={choose}
                    />
                    {section === 'face' && shown && (
                      <Faces faces={view.faces} url={shown.mediumUrl ?? shown.url} size={view.details.resultSize} />
                    )}
                  </>
                ),
              })),
              {
                key: 'more',
                label: t('panel.sections.more'),
                content: (
                  <>
                    <MoreTab
                      choices={choices}
                      originalSize={view.details.originalSize}
                      maxSide={view.maxSide}
                      originalSizePlan={view.originalSizePlan}
                      keepLocation={keepLocation}
                      changesUrl={shown?.changesUrl ?? null}
                      onChange={(change) => want({ choices, keepLocation, ...change })}
                    />
                    {view.canSaveDefault && requiredPlanOf(choices, view) === null && (
                      <SaveDefault
                        order={{ taskId, bulkUploadId: view.bulkUploadId, choices, keepLocation }}
                        savedChoices={view.savedChoices}
                        isSaved={response.isSaved}
                      />
                    )}
                    <MediaDetails details={view.details} />
                  </>
                ),
              },
            ]}
          />
          <div className="apply-bar js:hidden">
            {/* Stays in place while it runs: a second press would reach a button that takes it. */}
            <Button type="submit" kind="primary" disabled={isRunning}>
              {t('panel.apply')}
            </Button>
          </div>
        </form>
        <ResultsStrip taskId={taskId} view={view} />
      </div>
    </Sheet>
  );
}
