import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
for await (const { result } of clearframe.tasks.list({ mediaType: 'image' })) {
  for (const { is_untouched, faces, changes, recipe } of result.outputs)
    console.log(JSON.stringify({ is_untouched, faces, changes, recipe }));
  break;
}
