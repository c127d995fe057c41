package claim

var ja = stems{
	lang: "ja",
	subjects: []subjectStem{
		{"型チェック", TypeCheck}, {"テスト", Tests}, {"ビルド", Build}, {"コンパイル", Build}, {"リント", Lint}, {"デプロイ", Deploy}, {"マイグレーション", Migration},
		{"インストール", Install}, {"チェック", Verified}, {"検証", Verified}, {"サーバー", Server},
	},
	positive: []string{"通りました", "通っています", "パスしました", "パスしています", "成功しました", "成功しています", "合格しました", "合格", "完了しました", "すべてパス", "全てパス", "通過しました", "成功を確認しました", "確認済み", "パス済み", "起動しました"},
	actions: []subjectStem{
		{"コミットしました", Commit}, {"コミット済み", Commit}, {"プッシュしました", Push}, {"プッシュ済み", Push}, {"マージしました", Merge}, {"デプロイしました", Deploy}, {"デプロイ済み", Deploy}, {"公開しました", Publish},
		{"送信しました", Send}, {"停止しました", Stopped}, {"検証済み", Verified}, {"動作確認済み", Verified}, {"テストを実行しました", Ran}, {"検証しました", Verified},
	},
	negators: []string{"ていません", "ません", "なかった", "ない", "できず", "未", "失敗", "ておらず"},
	benign:   []string{"失敗はありません", "エラーはありません", "失敗なし", "エラーなし", "問題なく", "失敗はなく", "問題ありません", "エラーなく"},
	failure:  []string{"失敗", "タイムアウト", "エラー", "通っていません", "通りませんでした"},
	hedges:   []string{"はず", "でしょう", "と思われ", "かもしれ", "らしい", "ようです", "見込み", "可能性", "恐らく", "おそらく", "と思います", "率"},
	plans:    []string{"ます予定", "予定", "してください", "必要", "ましょう", "するため", "ように", "これから", "次に", "べき", "目標", "つもり", "待ち"},
	conds:    []string{"もし", "たら", "れば", "場合", "かどうか", "まで", "してから", "次第", "後に"},
	retells:  []string{"以前", "と報告", "と述べ", "と言", "前回", "とのこと", "によると", "変更前"},
	consent:  []string{"ユーザー", "ユーザ"},
	agrees:   []string{"承認しました", "承認済み", "同意しました", "了承しました", "許可しました"},
}

var ko = stems{
	lang: "ko",
	subjects: []subjectStem{
		{"타입 체크", TypeCheck}, {"테스트", Tests}, {"빌드", Build}, {"컴파일", Build}, {"린트", Lint}, {"배포", Deploy}, {"마이그레이션", Migration}, {"설치", Install}, {"검사", Verified}, {"검증", Verified},
	},
	positive: []string{"통과했습니다", "통과합니다", "통과하였습니다", "통과했다", "통과됨", "통과 완료", "성공했습니다", "성공적으로", "완료되었습니다", "완료됐습니다", "완료했습니다", "성공했다"},
	actions: []subjectStem{
		{"커밋했습니다", Commit}, {"푸시했습니다", Push}, {"병합했습니다", Merge}, {"머지했습니다", Merge}, {"배포했습니다", Deploy}, {"검증했습니다", Verified}, {"검증되었습니다", Verified}, {"테스트를 실행했습니다", Ran}, {"전송했습니다", Send}, {"중지했습니다", Stopped},
	},
	negators: []string{"못", "않", "안 ", "없", "실패", "미완료"},
	benign:   []string{"실패 없이", "오류 없이", "실패가 없", "오류가 없", "문제 없이", "문제없이", "에러 없이"},
	failure:  []string{"실패", "시간 초과", "오류", "못했", "중단"},
	hedges:   []string{"것 같", "겠", "아마", "듯", "예상", "수 있", "율"},
	plans:    []string{"예정", "하세요", "해야", "필요", "위해", "하도록", "다음", "계획", "할게요", "하겠"},
	conds:    []string{"만약", "하면", "되면", "경우", "때까지", "여부", "는지", "후에", "한다면"},
	retells:  []string{"이전", "라고", "말했", "보고했", "지난"},
	consent:  []string{"사용자"},
	agrees:   []string{"승인했습니다", "동의했습니다", "확인했습니다", "허가했습니다", "승인하였습니다"},
}

// words are the lexicons of languages that are written in words.
var worded = []*stems{
	{
		lang:     "de",
		subjects: []subjectStem{{"tests", Tests}, {"test", Tests}, {"testsuite", Tests}, {"unit-tests", Tests}, {"testlauf", Tests}, {"build", Build}, {"kompilierung", Build}, {"linter", Lint}, {"typprüfung", TypeCheck}, {"deployment", Deploy}, {"bereitstellung", Deploy}, {"migration", Migration}, {"prüfungen", Verified}, {"installation", Install}},
		positive: words("bestanden erfolgreich grün durchgelaufen fehlerfrei bestehen"),
		actions:  []subjectStem{{"committet", Commit}, {"eingecheckt", Commit}, {"gepusht", Push}, {"gemergt", Merge}, {"zusammengeführt", Merge}, {"ausgerollt", Deploy}, {"deployt", Deploy}, {"bereitgestellt", Deploy}, {"veröffentlicht", Publish}, {"verschickt", Send}, {"gestoppt", Stopped}, {"verifiziert", Verified}},
		negators: words("nicht kein keine keinen nie niemals ohne konnte konnten noch"),
		benign:   []string{"keine fehler", "keine fehlschläge", "ohne fehler", "nicht nur", "keinen fehler"},
		failure:  words("fehlgeschlagen fehlschlag zeitüberschreitung gescheitert abgebrochen fehlgeschlagene"),
		hedges:   words("sollte sollten wahrscheinlich vermutlich scheint scheinen dürfte dürften könnte könnten würde würden voraussichtlich"),
		plans:    words("werde wird werden müssen muss soll sollen damit um bitte lass lassen stelle sicherstellen zu als"),
		conds:    words("wenn falls sobald bis ob bevor nachdem"),
		retells:  words("zuvor vorher früher laut meldete berichtete sagte behauptet angeblich war waren damals"),
		consent:  words("nutzer benutzer anwender user"), agrees: words("zugestimmt genehmigt bestätigt freigegeben"),
	},
	{
		lang:     "fr",
		subjects: []subjectStem{{"tests", Tests}, {"test", Tests}, {"build", Build}, {"compilation", Build}, {"linter", Lint}, {"lint", Lint}, {"déploiement", Deploy}, {"migration", Migration}, {"migrations", Migration}, {"vérifications", Verified}, {"installation", Install}},
		positive: words("passent réussi réussis réussie réussies passés passé verts vert réussit succès terminé terminée"),
		actions:  []subjectStem{{"commité", Commit}, {"commité*", Commit}, {"poussé", Push}, {"poussés", Push}, {"poussées", Push}, {"fusionné", Merge}, {"fusionnée", Merge}, {"déployé", Deploy}, {"déployée", Deploy}, {"publié", Publish}, {"envoyé", Send}, {"arrêté", Stopped}, {"vérifié", Verified}},
		negators: words("pas ne n'a n'ont n'est aucun aucune jamais sans impossible n'ai"),
		benign:   []string{"aucune erreur", "aucun échec", "sans erreur", "pas seulement", "sans échec"},
		failure:  words("échoué échouent échec échecs expiré interrompu interrompus"),
		hedges:   words("devrait devraient semble semblent probablement pourrait pourraient peut-être sans-doute serait seraient"),
		plans:    words("va vais vont allons faut doit doivent pour afin veuillez assurez-vous vérifier vérifions à"),
		conds:    words("si dès lorsque quand jusqu'à avant une-fois après"),
		retells:  words("auparavant précédemment selon signalé disait avait avaient affirmé"),
		consent:  words("l'utilisateur utilisateur vous"), agrees: words("approuvé confirmé accepté validé autorisé"),
	},
	{
		lang:     "es",
		subjects: []subjectStem{{"pruebas", Tests}, {"prueba", Tests}, {"tests", Tests}, {"compilación", Build}, {"build", Build}, {"linter", Lint}, {"despliegue", Deploy}, {"migración", Migration}, {"migraciones", Migration}, {"verificaciones", Verified}, {"instalación", Install}},
		positive: words("pasan pasaron pasado pasa pasó exitosamente exitosa exitoso exitosas verde completó correctamente"),
		actions:  []subjectStem{{"commiteado", Commit}, {"commiteados", Commit}, {"subido", Push}, {"subidos", Push}, {"fusionado", Merge}, {"desplegado", Deploy}, {"desplegada", Deploy}, {"publicado", Publish}, {"enviado", Send}, {"detenido", Stopped}, {"verificado", Verified}, {"verificada", Verified}},
		negators: words("no nunca sin ningún ninguna tampoco ninguno"),
		benign:   []string{"sin errores", "sin fallos", "ningún error", "ningún fallo", "no solo", "no hay errores", "no hubo errores"},
		failure:  words("falló fallaron fallan fallado fallo fallos expiró interrumpido"),
		hedges:   words("debería deberían parece parecen probablemente podría podrían quizás posiblemente puede pueden"),
		plans:    words("voy vamos hay debe deben para asegúrate asegurar verificar verifica ejecutar próximo a"),
		conds:    words("si cuando hasta una-vez antes después mientras"),
		retells:  words("previamente anteriormente según informó dijo antes había habían"),
		consent:  words("usuario usted"), agrees: words("aprobó confirmó aceptó aprobado confirmado autorizó"),
	},
	{
		lang:     "pt",
		subjects: []subjectStem{{"testes", Tests}, {"teste", Tests}, {"compilação", Build}, {"build", Build}, {"linter", Lint}, {"implantação", Deploy}, {"deploy", Deploy}, {"migração", Migration}, {"verificações", Verified}, {"instalação", Install}},
		positive: words("passaram passam passou sucesso verdes concluída concluído"),
		actions:  []subjectStem{{"commitado", Commit}, {"commitadas", Commit}, {"enviado", Push}, {"enviadas", Push}, {"mesclado", Merge}, {"implantado", Deploy}, {"implantada", Deploy}, {"publicado", Publish}, {"parado", Stopped}, {"confirmado", Verified}},
		negators: words("não nunca sem nenhum nenhuma nem"),
		benign:   []string{"sem erros", "sem falhas", "nenhuma falha", "nenhum erro", "não só", "não apenas", "não houve falhas"},
		failure:  words("falhou falharam falham falha falhas expirou interrompido"),
		hedges:   words("deveria deveriam deve devem parece parecem provavelmente poderia poderiam talvez pode podem"),
		plans:    words("vou vamos irá precisa precisam para garantir garanta verificar verifique executar próximo a"),
		conds:    words("se quando até assim-que antes depois caso enquanto"),
		retells:  words("anteriormente segundo informou disse havia haviam"),
		consent:  words("usuário usuária você"), agrees: words("aprovou confirmou aceitou autorizou"),
	},
	{
		lang:     "ru",
		subjects: []subjectStem{{"тест", Tests}, {"тесты", Tests}, {"тестов", Tests}, {"сборка", Build}, {"компиляция", Build}, {"линтер", Lint}, {"деплой", Deploy}, {"развёртывание", Deploy}, {"миграция", Migration}, {"миграции", Migration}, {"проверки", Verified}, {"установка", Install}},
		positive: words("пройдены пройден прошли прошла прошёл прошел проходят проходит успешно успешна зелёные"),
		actions:  []subjectStem{{"закоммичен*", Commit}, {"закоммитил", Commit}, {"запушен*", Push}, {"запушил", Push}, {"смержен*", Merge}, {"развёрнут*", Deploy}, {"задеплоен*", Deploy}, {"опубликован*", Publish}, {"отправлен*", Send}, {"остановлен*", Stopped}, {"проверено", Verified}, {"подтверждено", Verified}},
		negators: words("не нет ни без никогда невозможно"),
		benign:   []string{"без ошибок", "нет ошибок", "не только", "ошибок нет", "без сбоев"},
		failure:  words("упали упал упала провалились провален таймаут прерван прерваны"),
		hedges:   words("должны должен должна вероятно возможно кажется похоже наверное может могут"),
		plans:    words("будет будут чтобы нужно надо убедитесь проверьте проверить давайте необходимо"),
		conds:    words("если когда пока после ли прежде"),
		retells:  words("ранее раньше сообщил сказал согласно"),
		consent:  words("пользователь вы"), agrees: words("подтвердил подтвердили одобрил одобрили согласился согласились"),
	},
}

func words(list string) []string {
	var out []string
	for w := range fields(list) {
		out = append(out, w)
	}
	return out
}
