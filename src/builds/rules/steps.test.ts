import { languageCodes } from '../../shapes/language.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStepId, isStepWording, stepIds, stepOf, stepsIn, wordsOfStep } from './steps.ts'

test('the dictionary holds exactly the words of the protocol', () => {
  assert.deepEqual(
    stepsIn('en').map(({ id, title, description }) => [id, title, description]),
    [
      ['build_record', 'Starting your build', 'I\u2019m setting up your build session.'],
      ['parse', 'Understanding your request', 'I\u2019m reading your request and mapping the plan.'],
      ['research', 'Gathering what we need', 'I\u2019m collecting the tools and references for your build.'],
      ['design', 'Planning your agent', 'I\u2019m creating the build plan for your agent.'],
      ['assemble', 'Building your agent', 'I\u2019m assembling the pieces now.'],
      ['validate', 'Testing everything', 'I\u2019m running checks to make sure everything works.'],
      ['finalize', 'Finalizing', 'I\u2019m wrapping up and preparing your result.'],
    ],
  )
  assert.deepEqual(
    stepsIn('zh').map(({ title, description }) => [title, description]),
    [
      ['正在启动您的构建', '我正在设置您的构建会话。'],
      ['正在理解您的请求', '我正在阅读您的请求并规划方案。'],
      ['正在收集所需内容', '我正在为您的构建收集工具和参考资料。'],
      ['正在规划您的代理', '我正在为您的代理创建构建计划。'],
      ['正在构建您的代理', '我正在组装各个部分。'],
      ['正在测试一切', '我正在运行检查以确保一切正常。'],
      ['正在收尾', '我正在完成并准备您的结果。'],
    ],
  )
})

test('every step has its place and its words in every language', () => {
  for (const [index, id] of stepIds.entries()) {
    for (const locale of languageCodes) {
      const step = stepOf(id, locale)
      assert.deepEqual([step.index, step.total], [index + 1, 7])
      assert.ok(step.description.length > 5)
      assert.ok(isStepWording(id, step.title, step.description))
    }
    assert.equal(new Set(wordsOfStep(id)).size, 4)
  }
  assert.ok(!isStepWording('parse', 'Parsing', 'I parse.'))
  assert.ok(!isStepId('deploy') && !isStepId(1) && !isStepId(null))
})
