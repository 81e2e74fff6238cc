import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const { task_id: taskId } = await clearframe.enhance('photo.jpg', { format: 'png', wait: false });

const result = await clearframe.tasks.result(taskId, {
  onProgress: ({ phase, fraction }) => console.log(phase, fraction),
});
await result.save('better.png');
