package claim

// stems is the lexicon of a language. In Chinese, Japanese and Korean the
// entries are looked for inside a clause; elsewhere they are whole words, or
// beginnings of words when they end in "*".
type stems struct {
	lang     string
	subjects []subjectStem
	positive []string      // perfective predicates of success
	actions  []subjectStem // perfectives that carry their subject
	negators []string
	benign   []string // negators that are good news: 没有失败
	failure  []string
	hedges   []string
	plans    []string
	conds    []string
	retells  []string
	consent  []string // humans as a subject
	agrees   []string // their assent
}

type subjectStem struct {
	stem string
	sub  Subject
}

var zh = stems{
	lang: "zh",
	subjects: []subjectStem{
		{"类型检查", TypeCheck},
		{"测试", Tests},
		{"用例", Tests},
		{"单测", Tests},
		{"构建", Build},
		{"编译", Build},
		{"打包", Build},
		{"静态检查", Lint},
		{"代码检查", Lint},
		{"部署", Deploy},
		{"迁移", Migration},
		{"安装", Install},
		{"依赖", Install},
		{"发布", Publish},
		{"服务", Server},
		{"检查", Verified},
		{"验证", Verified},
		{"校验", Verified},
	},
	positive: []string{"通过了", "已通过", "全部通过", "均通过", "都通过", "测试通过", "检查通过", "验证通过", "校验通过", "编译通过", "构建通过", "已经通过", "通过测试", "成功", "已完成", "完成了", "全绿", "顺利通过", "一切正常", "运行正常", "正在运行", "已启动"},
	actions: []subjectStem{
		{"已提交", Commit},
		{"已经提交", Commit},
		{"提交了代码", Commit},
		{"已推送", Push},
		{"推送到了", Push},
		{"已经推送", Push},
		{"已合并", Merge},
		{"已部署", Deploy},
		{"已经部署", Deploy},
		{"部署完成", Deploy},
		{"已发布", Publish},
		{"已发送", Send},
		{"已安装", Install},
		{"已停止", Stopped},
		{"已取消", Stopped},
		{"已终止", Stopped},
		{"已验证", Verified},
		{"验证无误", Verified},
		{"已经验证", Verified},
		{"已迁移", Migration},
		{"运行了测试", Ran},
		{"执行了测试", Ran},
		{"跑了测试", Ran},
		{"已运行测试", Ran},
		{"确认可用", Verified},
		{"确认正常", Verified},
		{"已创建 PR", PullRequest},
	},
	negators: []string{"没有", "未", "尚未", "无法", "不能", "不会", "没能", "没", "并非", "不通过", "不成功", "还没", "不算", "不等于", "不代表", "未能", "不是"},
	benign:   []string{"没有失败", "没有错误", "没有报错", "无失败", "无报错", "没有问题", "未发现问题", "未出现", "没有任何错误", "不仅", "不但", "没有任何失败", "未发现错误", "没有回归"},
	failure:  []string{"失败", "超时", "报错", "未通过", "没有通过", "没通过", "不通过", "中断", "崩溃", "被终止", "未验证", "未运行", "没有运行", "未完成"},
	hedges:   []string{"应该", "应当", "可能", "大概", "似乎", "看起来", "估计", "也许", "预计", "理论上", "预期", "想必", "好像", "率", "可以", "能够", "默认"},
	plans:    []string{"将", "接下来", "下一步", "请", "需要", "确保", "保证", "准备", "打算", "我会", "让我", "待", "必须", "计划", "要求", "以便", "为了", "尝试", "希望", "再次确认", "先确认", "等待", "会在", "目标", "验收标准"},
	conds:    []string{"如果", "若", "假如", "一旦", "直到", "是否", "只有", "除非", "当", "之前", "等到", "后再", "通过后", "成功后", "完成后", "的话", "只要", "时才", "之后再", "要是"},
	retells:  []string{"用户说", "你说", "之前", "此前", "原先", "曾经", "据说", "根据报告", "报告称", "声称", "上次", "CI 报告", "修改前", "用户反馈", "原本", "错误地", "所谓", "说是"},
	consent:  []string{"用户", "您", "你"},
	agrees:   []string{"已确认", "已批准", "已同意", "同意了", "批准了", "确认了", "已授权", "已经同意", "已经确认", "已经批准", "授权了"},
}
