import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '../sharing/share-button';
import { PreviewActions } from '../tools/offers/preview-note';
import { ToolPanel } from '../tools/panel/tool-panel';
import { UndoRedo } from '../tools/results/undo-redo';
import type { ToolsResponse, ToolsView } from '../tools/view/tools-view';
import { Notes } from './notes';
import { Stage, type StageProps } from './stage';

interface ResultProps extends Omit<StageProps, 'panel' | 'actions' | 'undo' | 'share' | 'before' | 'afterLabel'> {
  readonly notice: ReactNode;
  readonly tools: ToolsView;
  readonly toolsResponse: ToolsResponse;
}

export function Result({ tools, toolsResponse, ...stage }: ResultProps) {
  const { t } = useTranslation('result');
  const { task } = stage;
  const compared = tools.results.find(({ id }) => id === tools.comparedId);
  const shown = tools.results.find(({ id }) => id === tools.shownId);
  const versionOf = ({ number }: { readonly number: number }) => t('panel.results.version', { number });
  return (
    <Stage
      {...stage}
      actions={task.output.isPreview && <PreviewActions taskId={task.taskId} view={tools} />}
      share={!task.output.isPreview && <ShareButton taskId={task.taskId} />}
      undo={<UndoRedo taskId={task.taskId} view={tools} />}
      before={compared && { files: compared, label: versionOf(compared) }}
      afterLabel={compared && shown && versionOf(shown)}
      panel={
        <ToolPanel
          task={task}
          view={tools}
          response={toolsResponse}
          notes={<Notes output={task.output} details={tools.details} />}
        />
      }
    />
  );
}
