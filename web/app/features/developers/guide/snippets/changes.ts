import { writeFile } from 'node:fs/promises';
import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
for await (const { task_id: id } of clearframe.tasks.list({ mediaType: 'image', status: ['completed'] })) {
  await writeFile('changes.png', await clearframe.tasks.changes(id));
  break;
}
