import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { Result } from '../features/tasks/result/result';
import { loadResult } from '../features/tasks/result/result.server';
import type { TaskView } from '../features/tasks/task/task-view';
import { FlashNotice } from '../ui/toast/flash-notice';

export const handle = {
  i18n: ['result', 'processing'],
  showsDeletionDate: true,
  isStage: () => true,
  refreshesWithoutScript: (loaded: { task: TaskView } | undefined) =>
    loaded !== undefined && loaded.task.state.kind !== 'done',
};
export const loader = loadResult;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function ResultPage() {
  const { t } = useTranslation('result');
  const { task, download, tools, toolsAnswer, filmstrip, flash, problem, startsDownload } =
    useLoaderData<typeof loader>();
  const notice = flash && <FlashNotice id={flash.id} text={t(flash.message)} delayMs={flash.delayMs} />;
  return (
    <Result
      key={task.taskId}
      task={task}
      download={download}
      tools={tools}
      toolsAnswer={toolsAnswer}
      filmstrip={filmstrip}
      problem={problem}
      startsDownload={startsDownload}
      notice={notice}
    />
  );
}
